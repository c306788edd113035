// The messages of a chat as this person sees them, whatever part of them is on show.

/** Names a message within its chat; ephemeral ones count apart. */
export const keyOf = (message) =>
  message.ephemeral_message_id ? `e${message.ephemeral_message_id}` : String(message.message_id);

export const GENERAL = 1;

/** The forum topic of a message. */
export const topicOf = (message) => message.message_thread_id ?? GENERAL;

export class Feed {
  #messages = new Map();

  replace(messages) {
    this.#messages = new Map(messages.map((message) => [keyOf(message), message]));
  }

  /** A new message, or one that was edited. */
  put(message) {
    this.#messages.set(keyOf(message), message);
  }

  get(key) {
    return this.#messages.get(key);
  }

  /** True if it stood in place of another, which is not known here then. */
  remove(key) {
    const gone = this.#messages.get(key);
    this.#messages.delete(key);
    return Boolean(gone?.replaces);
  }

  /** Whether an ephemeral message hides this one. */
  hides(message) {
    return this.#instead().has(keyOf(message));
  }

  /** What stands in the chat, in order; with a topic only that. */
  shown(topic) {
    const instead = this.#instead();
    const all = [...this.#messages.values()].filter((m) => !this.#messages.has(String(m.replaces)));
    const standing = all.map((message) => instead.get(keyOf(message)) ?? message);
    return topic === null ? standing : standing.filter((message) => topicOf(message) === topic);
  }

  #instead() {
    const replacing = [...this.#messages.values()].filter(({ replaces }) => replaces);
    return new Map(replacing.map((message) => [String(message.replaces), message]));
  }
}
