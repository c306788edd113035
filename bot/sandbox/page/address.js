// What the address says: who is here, in which chat and topic, and who is beside them.

const NAMES = [
  { as: "as", chat: "chat", topic: "topic" },
  { as: "beside", chat: "beside-chat", topic: "beside-topic" },
];

/** One or two places {as, chat, topic}, numbers or null, and the payload of a deep link or null. */
export function readAddress(search) {
  const query = new URLSearchParams(search);
  const number = (name) => (query.has(name) ? Number(query.get(name)) : null);
  const places = NAMES.map(({ as, chat, topic }) => ({ as: number(as), chat: number(chat), topic: number(topic) }));
  return { places: places[1].as === null ? [places[0]] : places, start: query.get("start") };
}

/** The other way; a private chat, and General, go without saying. */
export function addressOf(places, start = null) {
  const query = new URLSearchParams();
  places.forEach((place, n) => {
    query.set(NAMES[n].as, place.as);
    if (place.chat) query.set(NAMES[n].chat, place.chat);
    if (place.topic) query.set(NAMES[n].topic, place.topic);
  });
  if (start) query.set("start", start);
  return `?${query}`;
}
