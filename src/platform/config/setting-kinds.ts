/**
 * The kinds of value a setting can have. One kind = the check, the words for it, and how text becomes it.
 *
 *   YAML value ----------------\
 *   environment, flag -> fromText -> schema -> value | "must be <allowed>"
 *
 * The words stand beside the check so that every layer refuses a value with the same sentence.
 */
import * as z from "zod";

export interface SettingKind<Value> {
  readonly schema: z.ZodType<Value>;
  /** Completes the sentence "http.port must be …". */
  readonly allowed: string;
  /** Text that is not of this kind comes back unchanged, so that the schema refuses what the user wrote. */
  readonly fromText: (text: string) => unknown;
}

/**
 * Which way a setting is looser: its values from strict to loose, or the direction in which a number protects less.
 * "free" protects no one's work.
 */
export type Strictness = readonly string[] | "less is looser" | "more is looser" | "free";

export function wholeNumber(min: number, max?: number): SettingKind<number> {
  const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  return {
    schema: z
      .int()
      .min(min)
      .max(max ?? Number.MAX_SAFE_INTEGER),
    allowed: `a whole number ${range}`,
    fromText: (text) => (/^[+-]?\d+$/.test(text) ? Number(text) : text),
  };
}

const TRUTH_WORDS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

export function trueOrFalse(): SettingKind<boolean> {
  return {
    schema: z.boolean(),
    allowed: "true or false",
    fromText: (text) => TRUTH_WORDS.get(text.toLowerCase()) ?? text,
  };
}

/** A name, or the word for none. */
export function nameOr(none: string, what: string): SettingKind<string> {
  return {
    schema: z.string().regex(/^[a-z][a-z0-9-]{0,59}$/),
    allowed: `${none} or ${what}`,
    fromText: (text) => text,
  };
}

/** Names as tools have them; empty for none. */
export function nameList(): SettingKind<string> {
  return text("empty, or names separated by commas, such as ruff, go vet", (given) => {
    return given.length <= 1_000 && given.split(",").every((name) => /^\s*[\w@][\w@:+./ -]*$|^$/.test(name));
  });
}

/** A command line of the shell, or empty. */
export function commandLine(): SettingKind<string> {
  return {
    // A terminal escape or a second line in a command would not be seen by the person who looks at it.
    schema: z
      .string()
      .max(1_000)
      .regex(/^[^\p{Cc}]*$/u),
    allowed: "a command on one line, of at most 1000 characters",
    fromText: (text) => text,
  };
}

export function oneOf<const Choice extends string>(
  choices: readonly [Choice, Choice, ...Choice[]],
): SettingKind<Choice> {
  return {
    schema: z.enum(choices),
    allowed: `one of ${choices.join(", ")}`,
    fromText: (text) => text,
  };
}

/** A program and its arguments; empty for none. */
export function commandWords(): SettingKind<string> {
  return text("words separated by spaces, or a JSON list of words", (given) => {
    if (!given.startsWith("[")) return given.length <= 4096;
    try {
      const words: unknown = JSON.parse(given);
      return Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === "string" && word !== "");
    } catch {
      return false; // not JSON: the check says what is allowed
    }
  });
}

/** An address for HTTP requests; empty for none. */
export function webAddress(): SettingKind<string> {
  return text("empty, or an address that begins with http:// or https://", (given) => {
    return given === "" || (/^https?:\/\//.test(given) && URL.canParse(given));
  });
}

/** Hosts, each with the variable that holds its token where it needs one. */
export function hostList(): SettingKind<string> {
  const host = /^(?:[a-z0-9][a-z0-9.-]*|\[[0-9a-f:]+\])(?::\d{1,5})?(?:=[A-Za-z_]\w{0,100})?$/i;
  return text("empty, or hosts separated by spaces, such as github.com git.example.com=WORK_TOKEN", (given) => {
    return given.length <= 2_000 && given.split(/[\s,]+/).every((entry) => entry === "" || host.test(entry));
  });
}

/** Names of hosts, each perhaps with a port. */
export function hostNames(): SettingKind<string> {
  const name = /^[a-z0-9][a-z0-9.-]*(?::\d{1,5})?$/i;
  return text("empty, or host names separated by spaces, such as sylk.example.com", (given) => {
    return given.length <= 2_000 && given.split(/[\s,]+/).every((entry) => entry === "" || name.test(entry));
  });
}

/** Hosts with the one port that is allowed. */
export function hostPortList(): SettingKind<string> {
  const pair = /^(?:[a-z0-9][a-z0-9.-]*|\[[0-9a-f:.]+\]):\d{1,5}$/i;
  return text("empty, or hosts with their ports separated by spaces, such as docs.example.com:443", (given) => {
    return given.length <= 2_000 && given.split(/[\s,]+/).every((entry) => entry === "" || pair.test(entry));
  });
}

/** A part of each day; empty for none. */
export function dayHours(): SettingKind<string> {
  const hour = "([01]\\d|2[0-3]):[0-5]\\d";
  return text("empty, or hours such as 22:00-07:00", (given) => {
    return given === "" || new RegExp(`^${hour}-${hour}$`).test(given);
  });
}

function text(allowed: string, isAllowed: (given: string) => boolean): SettingKind<string> {
  return { schema: z.string().refine(isAllowed), allowed, fromText: (given) => given };
}
