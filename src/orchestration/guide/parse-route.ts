/**
 * The routing grammar: the meaning of a tag in front of a text.
 *
 *   @to:<agent> text        @from:<agent> text        @broadcast:<agent>,<agent> text
 *   @guide:<agent> text     @guide text               @<shortcut> text
 *   @<agent>:<intent>[:<domain>][?key=value&key=value][{json}] [text]
 *
 * Text may stand in double quotes (\" and \\ inside); then it is taken as it is, else it is trimmed. Words of the grammar
 * are read without regard to case. Text that does not begin with @word is plain text and has no tag.
 * Invariant: every refusal carries the position, what was expected and what was found.
 */
import { defined } from "../../platform/defined.ts";
import { routeError } from "./route-error.ts";
import { domains, guideTargets, intents, type Vocabulary } from "./route-vocabulary.ts";

export type Route =
  | { readonly kind: "plain" | "classify"; readonly text: string }
  | { readonly kind: "to" | "from"; readonly agent: string; readonly text: string }
  | { readonly kind: "broadcast"; readonly agents: readonly string[]; readonly text: string }
  | { readonly kind: "shortcut"; readonly action: string; readonly agent: string; readonly text: string }
  | {
      readonly kind: "query";
      readonly agent: string;
      readonly intent: string;
      readonly domain?: string;
      readonly params: Readonly<Record<string, string>>;
      readonly payload?: Readonly<Record<string, unknown>>;
      readonly text?: string;
    };

/** Reads forwards only; `at` is always an offset into the whole input. */
type Cursor = { readonly input: string; at: number };
type Words = ReadonlyMap<string, string>;

const word = /[A-Za-z][\w-]*/y;
/** Agents of plugins may have dots in their names. */
const agentWord = /[A-Za-z][\w.-]*/y;
const spaces = /\s+/y;

export function parseRoute(input: string, vocabulary: Vocabulary): Route {
  const cursor: Cursor = { input, at: input.length - input.trimStart().length };
  const head = /@([A-Za-z][\w.-]*)(?=[:\s]|$)/y;
  head.lastIndex = cursor.at;
  const [tag, name = ""] = head.exec(input) ?? [];
  if (tag === undefined) return { kind: "plain", text: input.trim() };
  const start = cursor.at + 1;
  cursor.at += tag.length;
  const agents = agentWords(vocabulary);
  const isColon = accept(cursor, ":");
  switch (name.toLowerCase()) {
    case "to":
    case "from":
      if (!isColon) throw unexpected(cursor, `":" and an agent`);
      return {
        kind: name.toLowerCase() as "to" | "from",
        agent: knownWord(cursor, agents, "agent", agentWord),
        text: neededText(cursor),
      };
    case "broadcast":
      if (!isColon) throw unexpected(cursor, `":" and agents`);
      return { kind: "broadcast", agents: agentList(cursor, agents), text: neededText(cursor) };
    case "guide":
      if (!isColon) return { kind: "classify", text: neededText(cursor) };
      return {
        kind: "to",
        agent: knownWord(cursor, new Map(guideTargets.map((each) => [each, each])), "agent", agentWord),
        text: neededText(cursor),
      };
  }
  if (isColon) {
    const agent = agents.get(name.toLowerCase());
    if (agent !== undefined) return query(cursor, agent);
    throw unknown({ at: start, got: name, what: "agent", known: agents });
  }
  return shortcut(cursor, { name, start }, vocabulary);
}

function shortcut(cursor: Cursor, { name, start }: { name: string; start: number }, vocabulary: Vocabulary): Route {
  const { shortcuts = [] } = vocabulary;
  const known = shortcuts.find(({ action }) => action.toLowerCase() === name.toLowerCase());
  if (known) return { kind: "shortcut", ...known, text: neededText(cursor) };
  const tags = ["to:<agent>", "from:<agent>", "broadcast:<agents>", "guide", ...shortcuts.map(({ action }) => action)];
  const expected = `one of ${tags.map((tag) => `@${tag}`).join(", ")}`;
  throw routeError(
    { position: start, expected, got: quoted(name) },
    `"@${name}" is not a tag; use ${expected}, or put the text in quotes if it begins with @`,
  );
}

function query(cursor: Cursor, agent: string): Route {
  const intent = knownWord(cursor, wordsOf(intents), "intent", /[A-Za-z][\w-]*|[?!]/y);
  const domain = accept(cursor, ":") ? knownWord(cursor, wordsOf(domains), "domain", word) : undefined;
  const params = accept(cursor, "?") ? parameters(cursor) : {};
  const payload = cursor.input[cursor.at] === "{" ? json(cursor) : undefined;
  const text = payload === undefined ? optionalText(cursor) : "";
  return {
    kind: "query",
    agent,
    intent,
    ...defined({ domain }),
    params,
    ...defined({ payload }),
    ...(text === "" ? {} : { text }),
  };
}

function agentList(cursor: Cursor, agents: Words): readonly string[] {
  const named = new Set<string>();
  do named.add(knownWord(cursor, agents, "agent", agentWord));
  while (accept(cursor, ","));
  return [...named];
}

function parameters(cursor: Cursor): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  do {
    const at = cursor.at;
    const key = match(cursor, word);
    if (key === undefined) throw unexpected(cursor, "the name of a parameter");
    if (found.has(key)) throw routeError({ position: at, expected: "each parameter once", got: quoted(key) });
    if (!accept(cursor, "=")) throw unexpected(cursor, `"=" after ${key}`);
    found.set(key, decoded(cursor));
  } while (accept(cursor, "&"));
  return Object.fromEntries(found);
}

function decoded(cursor: Cursor): string {
  const position = cursor.at;
  const raw = match(cursor, /[^&{\s]*/y) ?? "";
  try {
    return decodeURIComponent(raw);
  } catch {
    throw routeError({ position, expected: "a value with whole %-codes", got: quoted(raw) });
  }
}

/** To the end of the input: what follows the object would be neither payload nor text. */
function json(cursor: Cursor): Readonly<Record<string, unknown>> {
  const text = cursor.input.slice(cursor.at);
  try {
    const payload = JSON.parse(text) as Readonly<Record<string, unknown>>;
    cursor.at = cursor.input.length;
    return payload;
  } catch (error) {
    // The engine tells a place only for some faults, so the payload is blamed as a whole and its words are passed on.
    const got = error instanceof Error ? error.message : "none";
    throw routeError({ position: cursor.at, expected: "a JSON object up to the end", got });
  }
}

function neededText(cursor: Cursor): string {
  const text = optionalText(cursor);
  if (text !== "") return text;
  throw routeError(
    { position: cursor.at, expected: "text", got: "the end" },
    "the tag is followed by nothing; say what you want",
  );
}

function optionalText(cursor: Cursor): string {
  if (cursor.at === cursor.input.length) return "";
  // A quote says by itself where the text begins.
  if (match(cursor, spaces) === undefined && cursor.input[cursor.at] !== '"') throw unexpected(cursor, "a space");
  if (cursor.input[cursor.at] !== '"') return cursor.input.slice(cursor.at).trim();
  const body = /"((?:[^"\\]|\\.)*)"\s*/sy;
  body.lastIndex = cursor.at;
  const [whole, inside = ""] = body.exec(cursor.input) ?? [];
  if (whole === undefined) {
    const position = cursor.input.length;
    throw routeError({ position, expected: `the closing " of the text that begins at ${cursor.at}`, got: "the end" });
  }
  // Words after the closing quote: the quotes belong to the sentence.
  if (cursor.at + whole.length < cursor.input.length) return cursor.input.slice(cursor.at).trim();
  return inside.replace(/\\(["\\])/g, "$1");
}

function knownWord(cursor: Cursor, known: Words, what: string, shape: RegExp): string {
  const at = cursor.at;
  const got = match(cursor, shape);
  if (got === undefined) throw unexpected(cursor, `an ${what} (${[...new Set(known.values())].join(", ")})`);
  const meant = known.get(got.toLowerCase());
  if (meant !== undefined) return meant;
  throw unknown({ at, got, what, known });
}

function unknown({ at, got, what, known }: { at: number; got: string; what: string; known: Words }): Error {
  const names = [...new Set(known.values())].join(", ");
  const message = `there is no ${what} "${got}"${what === "agent" ? " to address" : ""}; known: ${names}`;
  return routeError({ position: at, expected: `one of ${names}`, got: quoted(got) }, message);
}

function unexpected({ input, at }: Cursor, expected: string): Error {
  return routeError({ position: at, expected, got: standingAt(input, at) });
}

function standingAt(input: string, at: number): string {
  return at >= input.length ? "the end" : quoted(input.slice(at, at + 12));
}

/** Words for one agent, whatever they begin with: read back, they are the same. */
export function addressedTo(agent: string, words: string): string {
  return `@to:${agent} "${words.replaceAll(/["\\]/g, "\\$&")}"`;
}

const quoted = (text: string): string => JSON.stringify(text);

function accept(cursor: Cursor, character: string): boolean {
  if (cursor.input[cursor.at] !== character) return false;
  cursor.at++;
  return true;
}

function match(cursor: Cursor, shape: RegExp): string | undefined {
  shape.lastIndex = cursor.at;
  const [found] = shape.exec(cursor.input) ?? [];
  cursor.at += found?.length ?? 0;
  return found;
}

/** Whole names come first in a message, and win over an alias of another agent. */
function agentWords({ agents }: Vocabulary): Words {
  const words = new Map(agents.map(({ name }) => [name.toLowerCase(), name]));
  for (const { name, aliases = [] } of agents)
    for (const alias of aliases.map((each) => each.toLowerCase())) if (!words.has(alias)) words.set(alias, name);
  return words;
}

function wordsOf(table: Readonly<Record<string, readonly string[]>>): Words {
  return new Map(
    Object.entries(table).flatMap(([name, short]) => [name, ...short].map((each) => [each, name] as const)),
  );
}
