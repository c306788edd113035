// What happened in a group, in words: these messages have no text of their own.

import { fill } from "/page/words.js";

/** The sentence, or null for an ordinary message. `name(user)` is what to call somebody. */
export function serviceText(message, { words, sender, name }) {
  const who = sender(message).name;
  const say = (template, what) => fill(template, { who, what });
  const { new_chat_members: come, left_chat_member: gone } = message;
  const by = message.from?.id;
  if (come) return come.map((user) => say(by === user.id ? words.joined : words.added, name(user))).join("\n");
  if (gone) return say(by === gone.id ? words.left : words.removed, name(gone));
  if (message.group_chat_created) return say(words.created, message.chat.title);
  if (message.migrate_to_chat_id || message.migrate_from_chat_id) return words.upgraded;
  if (message.forum_topic_created) return say(words.topicCreated, message.forum_topic_created.name);
  if (message.forum_topic_closed) return say(words.topicClosed);
  if (message.forum_topic_reopened) return say(words.topicReopened);
  if (message.pinned_message) return say(words.pinned, excerpt(message.pinned_message, words, 40));
  return null;
}

/** Text of a message, whatever its kind. */
export const spoken = (message, words) =>
  message.text ?? message.caption ?? message.document?.file_name ?? (message.photo ? words.photo : "");

/** Its beginning, in one line. */
export function excerpt(message, words, length = 160) {
  const letters = [...spoken(message, words).replace(/\s+/gu, " ")];
  return letters.length > length ? `${letters.slice(0, length).join("")}…` : letters.join("");
}
