"""A quiz of two questions in three languages, for tests that take it many times."""

from __future__ import annotations

from pathlib import Path

from bot.library import load as library
from bot.quiz.quiz import Quiz

ID = "small"

_FILES = {
    "quiz.yaml": """\
title: A small quiz
locale: en
questions:
  - id: sum
    question: How much is two and two?
    options:
      three: Three
      four: Four
      five: Five
    answer: four
    explanation: Count them on your fingers.
  - id: shard
    question: What is a shard?
    options:
      whole: All of a checkpoint in one file that must be read at once
      part: One of several files that make up a checkpoint together
    answer: part
    explanation: Its index tells which tensor is in which file.
""",
    "hi.yaml": """\
title: एक छोटा क्विज़
questions:
  sum:
    question: दो और दो कितने होते हैं?
    options:
      three: तीन
      four: चार
      five: पाँच
    explanation: अपनी उँगलियों पर गिन लीजिए।
  shard:
    question: शार्ड क्या होता है?
    options:
      whole: पूरा चेकपॉइंट एक ही फ़ाइल में, जिसे एक साथ पढ़ना पड़ता है
      part: उन कई फ़ाइलों में से एक, जो मिलकर एक चेकपॉइंट बनाती हैं
    explanation: इंडेक्स बताता है कि कौन-सा टेंसर किस फ़ाइल में है।
""",
    "vi.yaml": """\
title: Một bài trắc nghiệm nhỏ
questions:
  sum:
    question: Hai cộng hai bằng mấy?
    options:
      three: Ba
      four: Bốn
      five: Năm
    explanation: Hãy đếm trên đầu ngón tay.
  shard:
    question: Shard là gì?
    options:
      whole: Toàn bộ checkpoint trong một tệp phải đọc cùng một lúc
      part: Một trong nhiều tệp hợp thành một checkpoint
    explanation: Tệp chỉ mục cho biết tensor nào nằm trong tệp nào.
""",
}


def write(library_folder: Path) -> Quiz:
    """Puts the quiz into a folder of quizzes."""
    folder = library_folder / ID
    folder.mkdir(parents=True)
    for name, text in _FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return library.load(library_folder).quizzes[ID]
