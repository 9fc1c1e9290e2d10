/**
 * Words of code: identifiers as they are and split, so that "checkout total" finds `checkoutTotal` and `checkout_total2`.
 *
 *   parseHTTPHeader2 -> parsehttpheader2 parse http header 2
 */
const identifier = /[\p{L}\p{N}_$]+/gu;
const boundaries = /_+|\$+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
const isPlain = /^(?:[a-z]+|[A-Z][a-z]*|\d+)$/;
/** Longer ones are data: base64, hashes. */
const longestWord = 80;
const mostRemembered = 50_000;

const remembered = new Map<string, string>();

/** The text as words between blanks. */
export function wordsOfCode(text: string): string {
  let words = "";
  for (const [found] of text.matchAll(identifier)) words += `${splitOnce(found)} `;
  return words;
}

/** The words that a person typed, each once. */
export function wordsOfQuestion(text: string): readonly string[] {
  return [...new Set(wordsOfCode(text).split(" ").filter(Boolean))];
}

/** Identifiers repeat: a file of a thousand has some two hundred different ones. */
function splitOnce(found: string): string {
  const known = remembered.get(found);
  if (known !== undefined) return known;
  const words = split(found);
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(found, words);
  return words;
}

function split(found: string): string {
  if (found.length > longestWord) return "";
  if (isPlain.test(found)) return found.toLowerCase();
  const parts = found.split(boundaries).filter(Boolean);
  const whole = found.replaceAll(/[$_]/g, "");
  return (parts.length === 1 ? parts : [whole, ...parts]).join(" ").toLowerCase();
}
