/**
 * Takes secrets out of text before it reaches the disk.
 *
 *   text -> our tokens -> "Bearer …" -> passwords in addresses -> name=value -> text that may be shown to anybody
 *
 * Errs on the side of hiding: a hidden word costs a second look, a written token costs a new token.
 * A token counts from its first letter on, because a long text may have been cut in the middle of one.
 */

export const REDACTED = "[redacted]";

const OUR_TOKEN = /(sylk_(?:usr|agt|hk)_)[A-Za-z0-9_-]+/g;
const BEARER = /\b(bearer\s+)[^\s"',;]+/gi;
/** `postgres://user:password@host` */
const URL_PASSWORD = /(:\/\/[^\s:/@]*:)[^\s/@]+(?=@)/g;
/** `token=…`, `"password": "…"` and the same inside a JSON string, where quotes are escaped. */
const NAMED = new RegExp(
  String.raw`((?<!fencing[-_]?)(?:token|authorization|password|secret|api[-_]?key|cookie)\\?["']?\s*[=:]\s*)` +
    String.raw`(?:\\"[^"]*"?|"(?:\\.|[^"\\])*"?|'[^']*'?|(?:(?:bearer|basic)\s+)?[^\s"',;&]+)`,
  "gi",
);

export function redactText(text: string): string {
  return [OUR_TOKEN, BEARER, URL_PASSWORD, NAMED].reduce(
    (clean, pattern) => clean.replace(pattern, `$1${REDACTED}`),
    text,
  );
}

const SECRET_NAME = /(token|authorization|password|secret|apikey|cookie)$/;

/** True for `token`, `API_KEY`, `x-api-key`, `accessToken`; a fencing token is a counter, not a secret. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[-_\s]/g, "");
  return SECRET_NAME.test(plain) && !plain.endsWith("fencingtoken");
}
