/**
 * Reads the terms of a call from `_meta`, beside its input: nothing of it is kept between calls. A client that cannot set
 * `_meta` names its agent in the argument `as`, by the handle that `agent_register` answered.
 *
 *   "sylk/idempotencyKey"  the same key with the same input gets the first answer again
 *   "sylk/agent"           agent (id or name) the user acts for
 *   "sylk/project"         folder of the project a user's call is about
 *
 * A client may name the session of a call in fields of its own; `callSessionFields` lists them.
 */
import { type CallSessionField, type ClientSession, type DomainError, invalidInput } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";

export type CallTerms = {
  readonly idempotencyKey?: string;
  readonly actAs?: string;
  readonly projectPath?: string;
  readonly session?: ClientSession;
};

type Meta = Readonly<Record<string, unknown>>;
type Rule = { readonly term: Exclude<keyof CallTerms, "session">; readonly pattern: RegExp; readonly wanted: string };

const rules: Readonly<Record<string, Rule>> = {
  "sylk/idempotencyKey": {
    term: "idempotencyKey",
    pattern: /^[\x21-\x7e]{1,200}$/,
    wanted: "1 to 200 visible ASCII characters",
  },
  "sylk/agent": { term: "actAs", pattern: /^\S{1,200}$/, wanted: "an agent's id or name" },
  "sylk/project": { term: "projectPath", pattern: /^.{1,4096}$/s, wanted: "a folder" },
};

/** Takes the handle out of a call's arguments. */
export function readHandle(input: Readonly<Record<string, unknown>>): {
  readonly input: Readonly<Record<string, unknown>>;
  readonly actAs?: string;
} {
  if (!Object.hasOwn(input, "as")) return { input };
  const { as: handle, ...rest } = input;
  if (typeof handle === "string" && /^hdl_[0-9a-f]{1,64}$/.test(handle)) return { input: rest, actAs: handle };
  throw invalidInput("as", "must be the handle that agent_register answered");
}

/** Other parties' keys pass by; a misspelt one of ours is refused, because ignoring it would change the call's meaning. */
export function readCallTerms(fields: readonly CallSessionField[], meta: Meta = {}): CallTerms {
  const ours = Object.entries(meta).filter(([key]) => key.startsWith("sylk/"));
  const session = sessionIn(meta, fields);
  return {
    ...Object.fromEntries(ours.map(([key, value]) => [ruleOf(key).term, textOf(key, value)])),
    ...defined({ session }),
  };
}

/** Another party's key: what does not look as expected says nothing. */
function sessionIn(meta: Meta, fields: readonly CallSessionField[]): ClientSession | undefined {
  for (const { client, path, beside } of fields) {
    if (beside !== undefined && typeof meta[beside] !== "string") continue;
    const key = path.reduce<unknown>((value, name) => (Object(value) as Meta)[name], meta);
    if (typeof key === "string" && key !== "" && key.length <= 200) return { key, client };
  }
  return undefined;
}

function ruleOf(key: string): Rule {
  const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
  if (rule === undefined) throw invalid(key, `is not known; use one of ${Object.keys(rules).join(", ")}`);
  return rule;
}

function textOf(key: string, value: unknown): string {
  const { pattern, wanted } = ruleOf(key);
  if (typeof value === "string" && pattern.test(value)) return value;
  throw invalid(key, `must be ${wanted}`);
}

function invalid(key: string, message: string): DomainError {
  const path = `_meta.${key}`;
  return invalidInput(path, message, { sentence: `${path} ${message}` });
}
