/**
 * The one redactor: log lines, inputs of changes and what workers record pass it before they are written anywhere.
 *
 *   text or value -> known keys, by value -> what looks like a secret -> text or value that may be stored
 *
 * A key once learned is hidden until the process ends, also after it was removed: it may still be echoed.
 */
import { hideKnown, isTellingSecret, spellingsOf } from "./known-secrets.ts";
import { isSecretName, REDACTED, redactText } from "./redact-text.ts";

export type Redactor = {
  text(text: string): string;
  /** A copy without secrets; the value itself where there are none. */
  value<T>(value: T): T;
  learn(...secrets: readonly (string | undefined)[]): void;
  /** What it has learned, for the redactor of a process of ours. */
  learned(): readonly string[];
};

export function createRedactor(...known: readonly (string | undefined)[]): Redactor {
  const secrets = new Set<string>();
  let hide = hideKnown([]);
  const redactor: Redactor = {
    text: (text) => (ID.test(text) ? text : redactText(hide(text))),
    value: (value) => cleanValue(value, redactor.text) as typeof value,
    learn(...told) {
      for (const secret of told) if (secret !== undefined && isTellingSecret(secret)) secrets.add(secret);
      // The longest first: one key may be the beginning of another.
      hide = hideKnown([...secrets].flatMap(spellingsOf).sort((a, b) => b.length - a.length));
    },
    learned: () => [...secrets],
  };
  redactor.learn(...known);
  return redactor;
}

/** Most of what hot paths are given: no secret looks like one of our ids. */
const ID = /^[a-z]{3}_[0-9a-z]{22}$/;
/** The name of a variable that holds a secret, where a caller names a credential. */
const HANDLE = /^env:[A-Z_][A-Z0-9_]{0,100}$/;
const longestPlainName = 16;

function cleanValue(value: unknown, text: Redactor["text"]): unknown {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return cleanList(value, text);
  if (value === null || typeof value !== "object" || !isPlain(value)) return value;
  let changed = false;
  const entries = Object.entries(value).map(([name, field]): [string, unknown] => {
    const cleanName = name.length < longestPlainName ? name : text(name);
    const cleanField =
      typeof field === "string" && field !== "" && isSecretName(name) && !HANDLE.test(field)
        ? REDACTED
        : cleanValue(field, text);
    changed ||= cleanName !== name || cleanField !== field;
    return [cleanName, cleanField];
  });
  return changed ? Object.fromEntries(entries) : value;
}

function cleanList(values: readonly unknown[], text: Redactor["text"]): readonly unknown[] {
  const clean = values.map((value) => cleanValue(value, text));
  return clean.some((value, index) => value !== values[index]) ? clean : values;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
