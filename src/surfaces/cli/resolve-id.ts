/**
 * Ids as people type them: the whole id, the start or another part of it, or a name. All commands resolve here.
 *
 *   typed word ─ whole id? ─ yes ─> as it is, without a question to the daemon
 *                  └─ no ─> id.find ─> one: that   several: the candidates with their titles   none: what to type
 */
import { type DomainError, invalidInput } from "../../contract/errors.ts";
import type { FoundId, NamedKind } from "../../contract/index.ts";
import type { SylkClient } from "../client/index.ts";
import type { CommandContext } from "./command.ts";
import { chooseNewest, type Newest } from "./newest.ts";
import { printable } from "./printable.ts";

/** What people call it, and the command that lists it. */
const words: Readonly<Record<NamedKind, readonly [one: string, list: string]>> = {
  prj: ["project", "project list"],
  agt: ["agent", "who"],
  rsv: ["reservation", "reservations"],
  wrk: ["work item", "work list"],
  ses: ["session", "session list"],
  run: ["run", "runs"],
  dag: ["DAG run", "dag list"],
  apr: ["approval", "approvals"],
  fnd: ["finding", "finding list"],
  msg: ["message", "mail inbox"],
  inc: ["incident", "incident list"],
  ver: ["file version", "file history"],
  src: ["source", "research sources"],
};

/** A field of an input as JSON schema shows it. */
export type IdSchema = {
  readonly pattern?: string;
  readonly anyOf?: readonly IdSchema[];
  readonly items?: IdSchema;
};

/** The kinds of ids that a field takes, by the contract's own patterns; none for a field of another type. */
function kindsIn({ pattern = "", anyOf = [], items }: IdSchema): readonly NamedKind[] {
  const own = [...pattern.matchAll(/([a-z]{3})_\[0-9a-h/g)].map(([, kind]) => kind as NamedKind);
  return [
    ...own.filter((kind) => kind in words),
    ...anyOf.flatMap(kindsIn),
    ...(items === undefined ? [] : kindsIn(items)),
  ];
}

const wholeId = /^([a-z]{3})_[0-9a-hjkmnp-tv-z]{22}$/;

/**
 * `asTyped`: the argument or flag that holds the word, for the answer to a word that means nothing or too much.
 * `isForProgram`: a word that means nothing stays, and the operation refuses it, as over every other way in.
 */
export async function resolveId(
  typed: string,
  kinds: readonly NamedKind[],
  asTyped: string,
  client: SylkClient,
  { isForProgram = false } = {},
): Promise<string> {
  const found = await lookUp(typed, kinds, client);
  if (typeof found === "string") return found;
  if (isForProgram && found.items.length === 0) return typed;
  throw refusal(typed, kinds, asTyped, found);
}

type Candidates = { readonly items: readonly FoundId[]; readonly more: boolean };
const none: Candidates = { items: [], more: false };

/** The id, or the candidates where the word fits none or several. */
async function lookUp(typed: string, kinds: readonly NamedKind[], client: SylkClient): Promise<string | Candidates> {
  const kind = kindOf(typed);
  if (kind !== undefined) return kinds.includes(kind) ? typed : none;
  if (typed === "" || typed.length > 200) return none;
  const found = await client.call("id.find", { text: typed, kinds: [...kinds] });
  return found.items.length === 1 ? found.items[0]!.id : found;
}

/** Of a whole id. */
function kindOf(typed: string): NamedKind | undefined {
  const [, kind] = wholeId.exec(typed) ?? [];
  return kind as NamedKind | undefined;
}

function refusal(typed: string, kinds: readonly NamedKind[], asTyped: string, found: Candidates): DomainError {
  if (found.items.length > 0) return ambiguous(typed, kinds, asTyped, found.items, found.more);
  const kind = kindOf(typed);
  return kind !== undefined && kind in words
    ? wrongKind(typed, kind, kinds, asTyped)
    : notFound(typed.slice(0, 60), kinds, asTyped);
}

/** An argument that may be left out: the word that was typed, or the newest. Undefined when the person says no to that. */
export async function idOrNewest(
  typed: string | undefined,
  kinds: readonly NamedKind[],
  newest: Newest,
  context: CommandContext,
): Promise<string | undefined> {
  if (typed === undefined) return chooseNewest(newest, "<id>", context);
  return resolveId(typed, kinds, "<id>", await context.connect());
}

type InputTerms = {
  readonly properties: Readonly<Record<string, IdSchema>>;
  readonly asTyped: (field: string) => string;
  readonly isForProgram: boolean;
};

/** The same input with every id in it whole. */
export async function resolveIds(
  input: Readonly<Record<string, unknown>>,
  { properties, asTyped, isForProgram }: InputTerms,
  client: SylkClient,
): Promise<Record<string, unknown>> {
  const resolved: Record<string, unknown> = { ...input };
  for (const [field, value] of Object.entries(input)) {
    const kinds = kindsIn(properties[field] ?? {});
    if (kinds.length === 0) continue;
    const one = (text: string): Promise<string> => resolveId(text, kinds, asTyped(field), client, { isForProgram });
    if (typeof value === "string") resolved[field] = await one(value);
    else if (Array.isArray(value)) resolved[field] = await Promise.all(value.map((text) => one(String(text))));
  }
  return resolved;
}

function nameOf(kinds: readonly NamedKind[]): string {
  return kinds.map((kind) => words[kind][0]).join(" or ");
}

function listOf(kinds: readonly NamedKind[]): string {
  return kinds.map((kind) => `"sylk ${words[kind][1]}"`).join(" and ");
}

function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun}`;
}

function notFound(typed: string, kinds: readonly NamedKind[], asTyped: string): DomainError {
  return invalidInput(asTyped, `no ${nameOf(kinds)} has this id or name`, {
    sentence: `${asTyped} "${typed}": no ${nameOf(kinds)} here has an id with this part, or this name; ${listOf(kinds)} ${kinds.length === 1 ? "lists" : "list"} them`,
  });
}

function wrongKind(typed: string, kind: NamedKind, kinds: readonly NamedKind[], asTyped: string): DomainError {
  return invalidInput(asTyped, `must name ${withArticle(nameOf(kinds))}`, {
    sentence: `${asTyped} "${typed}" names ${withArticle(words[kind][0])}, not ${withArticle(nameOf(kinds))}; ${listOf(kinds)} ${kinds.length === 1 ? "lists" : "list"} them`,
  });
}

function ambiguous(
  typed: string,
  kinds: readonly NamedKind[],
  asTyped: string,
  items: readonly FoundId[],
  more: boolean,
): DomainError {
  const candidates = printable(items).map(({ id, title }) => `  ${id}  ${title.slice(0, 48)}`);
  return invalidInput(asTyped, `is not unique: ${items.map(({ id }) => id).join(", ")}`, {
    sentence: [
      `${asTyped} "${typed}" could be more than one ${nameOf(kinds)}; type more of the id:`,
      ...candidates,
      ...(more ? ["  and more"] : []),
    ].join("\n"),
  });
}
