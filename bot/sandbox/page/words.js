// The messenger's own few words, in the language of the person's phone; English where it isn't here.

const WORDS = {
  en: {
    start: "Start",
    field: "Message",
    send: "Send",
    commands: "Commands",
    messages: "Messages",
    bot: "bot",
    you: "You",
    connecting: "Reconnecting…",
    edited: "edited",
    unread: "New messages",
    deleted: "Deleted message",
    document: "Document",
    more: "Show more",
    less: "Show less",
    spoiler: "Hidden text, press to show",
    copy: "Copy",
    copied: "Copied",
    close: "Close",
    ok: "OK",
    share: "Share",
    openAs: "Open as",
    failed: "Not delivered. Is quizbot still running?",
  },
  hi: {
    start: "शुरू करें",
    field: "संदेश",
    send: "भेजें",
    commands: "कमांड",
    messages: "संदेश",
    bot: "बॉट",
    you: "आप",
    connecting: "फिर से कनेक्ट हो रहा है…",
    edited: "बदला गया",
    unread: "नए संदेश",
    deleted: "हटाया गया संदेश",
    document: "फ़ाइल",
    more: "पूरा दिखाएँ",
    less: "कम दिखाएँ",
    spoiler: "छिपा हुआ टेक्स्ट, देखने के लिए दबाएँ",
    copy: "कॉपी करें",
    copied: "कॉपी हो गया",
    close: "बंद करें",
    ok: "ठीक है",
    share: "शेयर करें",
    openAs: "इस रूप में खोलें:",
    failed: "नहीं पहुँचा। क्या quizbot अब भी चल रहा है?",
  },
  vi: {
    start: "Bắt đầu",
    field: "Tin nhắn",
    send: "Gửi",
    commands: "Lệnh",
    messages: "Tin nhắn",
    bot: "bot",
    you: "Bạn",
    connecting: "Đang kết nối lại…",
    edited: "đã sửa",
    unread: "Tin nhắn mới",
    deleted: "Tin nhắn đã xóa",
    document: "Tệp",
    more: "Xem thêm",
    less: "Thu gọn",
    spoiler: "Nội dung ẩn, nhấn để hiện",
    copy: "Sao chép",
    copied: "Đã sao chép",
    close: "Đóng",
    ok: "OK",
    share: "Chia sẻ",
    openAs: "Mở với vai",
    failed: "Chưa gửi được. quizbot còn chạy không?",
  },
};

const RIGHT_TO_LEFT = new Set(["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "ug", "ur", "yi"]);

const base = (code) => (code ?? "en").toLowerCase().split("-")[0];

/** The words for a language code, which may be missing. */
export const wordsFor = (code) => WORDS[base(code)] ?? WORDS.en;

/** The language those words are in. */
export const spokenFor = (code) => (base(code) in WORDS ? base(code) : "en");

export const directionOf = (code) => (RIGHT_TO_LEFT.has(base(code)) ? "rtl" : "ltr");

/** The language by its own name: "हिन्दी"; the code itself where the browser knows no name; "" without a code. */
export function ownName(code) {
  if (!code) return "";
  try {
    const name = new Intl.DisplayNames([code], { type: "language" }).of(code);
    return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
  } catch (error) {
    if (error instanceof RangeError) return code;
    throw error;
  }
}

/** Puts the words wherever the page asks for them with data-word (text) or data-label (accessible name). */
export function translate(words, code) {
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = words[element.dataset.word];
    element.lang = spokenFor(code);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", words[element.dataset.label]);
  }
}
