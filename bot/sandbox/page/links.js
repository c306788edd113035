// What a link means inside the chat.

const SCHEMES = new Set(["http:", "https:", "mailto:", "tel:", "tg:"]);

/**
 * One of
 *   {kind: "start", payload}   a deep link to this bot
 *   {kind: "share", url, text} Telegram's share page
 *   {kind: "web", url}         anything else that may be opened
 *   {kind: "none"}             what no messenger would open
 */
export function meaning(link, botUsername) {
  const url = parsed(link);
  if (url === null || !SCHEMES.has(url.protocol)) return { kind: "none" };
  const path = url.pathname.replace(/^\/+|\/+$/g, "");
  const query = url.searchParams;
  if (url.protocol === "tg:" && url.href.startsWith("tg://resolve?") && same(query.get("domain"), botUsername))
    return { kind: "start", payload: query.get("start") ?? "" };
  if (!["t.me", "telegram.me"].includes(url.hostname)) return { kind: "web", url: url.href };
  if (same(path, botUsername)) return { kind: "start", payload: query.get("start") ?? "" };
  if (path === "share/url" || path === "share")
    return { kind: "share", url: query.get("url") ?? "", text: query.get("text") ?? "" };
  return { kind: "web", url: url.href };
}

const same = (a, b) => (a ?? "").toLowerCase() === b.toLowerCase();

function parsed(link) {
  // Telegram takes links without a scheme.
  const text = /^[a-z][a-z0-9+.-]*:/i.test(link) ? link : `https://${link}`;
  return URL.canParse(text) ? new URL(text) : null;
}
