/**
 * Secrets whose very value is known: configured keys. They are taken out in every spelling they are likely to have, also
 * when a long text was cut in the middle of one.
 */
import { REDACTED } from "./redact-text.ts";

const shortest = 8;
const longWithoutDigit = 20;
const shortestPiece = 12;

/** Local servers take any key: to blank "lm-studio" or "not-needed" everywhere would only make text unreadable. */
export function isTellingSecret(secret: string): boolean {
  return secret.length >= shortest && (/\d/.test(secret) || secret.length >= longWithoutDigit);
}

export function spellingsOf(secret: string): readonly string[] {
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])];
}

/** Takes them out; nearly all text has none of them, and is let through after one look. */
export function hideKnown(spellings: readonly string[]): (text: string) => string {
  if (spellings.length === 0) return (text) => text;
  const pieces = spellings.flatMap((spelling) =>
    spelling.length < 2 * shortestPiece
      ? [spelling]
      : [spelling.slice(0, shortestPiece), spelling.slice(-shortestPiece)],
  );
  const any = new RegExp(pieces.map(literally).join("|"));
  return (text) =>
    any.test(text)
      ? spellings.reduce((clean, spelling) => withoutPieces(clean.replaceAll(spelling, REDACTED), spelling), text)
      : text;
}

/** A beginning or an end of it, as far as it goes. */
function withoutPieces(text: string, secret: string): string {
  if (secret.length < 2 * shortestPiece) return text;
  let clean = text;
  for (let at = clean.indexOf(secret.slice(0, shortestPiece)); at !== -1;) {
    let length = shortestPiece;
    while (length < secret.length && clean[at + length] === secret[length]) length++;
    clean = clean.slice(0, at) + REDACTED + clean.slice(at + length);
    at = clean.indexOf(secret.slice(0, shortestPiece));
  }
  for (let at = clean.indexOf(secret.slice(-shortestPiece)); at !== -1;) {
    let length = shortestPiece;
    while (length < secret.length && at > 0 && clean[at - 1] === secret.at(-1 - length))
      [at, length] = [at - 1, length + 1];
    clean = clean.slice(0, at) + REDACTED + clean.slice(at + length);
    at = clean.indexOf(secret.slice(-shortestPiece));
  }
  return clean;
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
