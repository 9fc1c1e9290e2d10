/** Times and counts as people say them. */
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** "42 s", "3 min", "2 h", "5 d": one unit, rounded down. Never negative: clocks differ. */
export function duration(ms: number): string {
  const length = Math.max(0, ms);
  if (length < minute) return `${Math.floor(length / second)} s`;
  if (length < hour) return `${Math.floor(length / minute)} min`;
  if (length < 2 * day) return `${Math.floor(length / hour)} h`;
  return `${Math.floor(length / day)} d`;
}

/** "3 min ago", "in 20 s", "now". */
export function relativeTime(at: number, now: number): string {
  const gap = at - now;
  if (Math.abs(gap) < second) return "now";
  return gap > 0 ? `in ${duration(gap)}` : `${duration(-gap)} ago`;
}

/** "1 file", "3 files". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** "awaiting_approval" -> "awaiting approval". */
export function words(text: string): string {
  return text.replaceAll(/[_-]/g, " ");
}

/** A sentence's first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A deep path without its middle: "packages/…/deep/discount.test.ts". */
export function shortPath(path: string, most = 56): string {
  const parts = path.split("/");
  if (path.length <= most || parts.length < 4) return path;
  let end = parts.slice(-2);
  for (const part of parts.slice(1, -2).toReversed()) {
    const longer = [part, ...end];
    if ([parts[0], "…", ...longer].join("/").length > most) break;
    end = longer;
  }
  return [parts[0], "…", ...end].join("/");
}
