"""quizbot: a Telegram bot that teaches with quizzes in the learner's own language."""
