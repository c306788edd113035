// The sandbox behind the page.

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8000;

/** Bot, people, time and trouble. */
export async function readState() {
  const response = await fetch("/sandbox/state");
  if (!response.ok) throw new Error(`state: ${response.status}`);
  return response.json();
}

/** What the person did never reached the bot. */
export class Undelivered extends Error {}

/** What the person did is impossible; the message says why. */
export class Refused extends Undelivered {}

/** Something done on the page: "say", "tap", "start", "act", "clock" or "trouble". */
export async function act(name, body) {
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  try {
    const response = await fetch(`/sandbox/${name}`, request);
    if (response.ok) return await response.json();
    const why = await response.text();
    throw response.status === 400 ? new Refused(sentence(why)) : new Undelivered(why);
  } catch (error) {
    // fetch's word for a network that fails, and json's for an answer cut short.
    if (error instanceof TypeError || error instanceof SyntaxError) throw new Undelivered(error.message);
    throw error;
  }
}

/** As the sandbox says it, which begins small where it speaks of things. */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Events from the sandbox; a lost connection is made again, waiting longer each time. */
export class Stream {
  #socket = null;
  #timer = null;
  #wait = FIRST_WAIT_MS;
  #closed = false;

  /** `onEvent(event)`, and `onConnection(isUp)` whenever that changes. */
  constructor(path, query, onEvent, onConnection = () => {}) {
    this.address = `/sandbox/${path}?${new URLSearchParams(query)}`;
    this.onEvent = onEvent;
    this.onConnection = onConnection;
    this.#open();
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    // The browser complains of one that is closed before it is open.
    if (this.#socket.readyState !== WebSocket.CONNECTING) this.#socket.close();
  }

  #open() {
    const url = new URL(this.address, location.href);
    url.protocol = url.protocol.replace("http", "ws");
    this.#socket = new WebSocket(url);
    this.#socket.onopen = () => this.#opened();
    this.#socket.onmessage = ({ data }) => this.#closed || this.onEvent(JSON.parse(data));
    this.#socket.onclose = () => this.#lost();
  }

  #opened() {
    if (this.#closed) return this.#socket.close();
    this.#wait = FIRST_WAIT_MS;
    this.onConnection(true);
  }

  #lost() {
    if (this.#closed) return;
    this.onConnection(false);
    this.#timer = setTimeout(() => this.#open(), this.#wait * (0.8 + 0.4 * Math.random()));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }
}
