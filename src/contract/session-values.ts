/**
 * Notes and preferences of a session.
 *
 *   note        what its clients want to remember about it; for people and agents to read
 *   preference  what holds for whatever is started in it and does not say otherwise; local unless promoted to the project
 */
import * as z from "zod";
import { defineEvent, defineOperation } from "./define.ts";
import { SessionId } from "./ids.ts";
import { Session, SessionDetail } from "./session.ts";
import { ToolCategory } from "./tool.ts";

export const Preference = z.enum(["provider", "budget", "onBlur", "weight", ...ToolCategory.options]);
export type Preference = z.infer<typeof Preference>;

const toolName = { holds: /^[\w@][\w@:+./ -]{0,59}$/, wanted: 'the name of a tool, as "sylk tools" shows it' };

const rules: Readonly<Record<Preference, { readonly holds: RegExp; readonly wanted: string }>> = {
  provider: { holds: /^[a-z][a-z0-9-]{0,59}$/, wanted: 'the name of a provider ("sylk provider list")' },
  budget: { holds: /^[1-9][0-9]{0,11}$/, wanted: "the tokens a run may use at the most, such as 200000" },
  onBlur: { holds: /^(pause|background)$/, wanted: "pause or background" },
  weight: { holds: /^([1-9][0-9]?|100)$/, wanted: "a whole number from 1 to 100; a session without one has 1" },
  linter: toolName,
  formatter: toolName,
  type_checker: toolName,
  test_framework: toolName,
  lsp: toolName,
};

const one = { id: SessionId.describe("Session id") };
const name = Preference.describe(
  "provider: the model provider; budget: token limit of each run; onBlur: pause or keep running when you switch away; weight: share of the pool against other sessions, 1 to 100, default 1; linter, formatter, type_checker, test_framework, lsp: the tool that counts in it",
);
const output = z.object({ session: Session, ...SessionDetail.pick({ preferences: true, promoted: true }).shape });
/** What is saved of the session changes with it. */
const errors = [
  "input.invalid",
  "session.not-found",
  "session.not-possible",
  "session.snapshot-damaged",
  "session.snapshot-newer",
] as const;

export const set = defineOperation({
  name: "session.set",
  summary: "Set a session's preference: the default for runs started in it, its share of the pool, or a tool",
  http: "POST /v1/sessions/{id}/set",
  actor: "anyone",
  input: z
    .strictObject({ ...one, name, value: z.string().min(1).max(60).describe("Value of the preference") })
    .superRefine((given, context) => {
      const { holds, wanted } = rules[given.name];
      if (!holds.test(given.value))
        context.addIssue({ code: "custom", path: ["value"], message: `${given.name} is ${wanted}` });
    }),
  output,
  errors: [...errors, "provider.not-found", "provider.missing"],
  example: { id: "ses_01jd8q3m7k4x9t2v5b8n1c", name: "budget", value: "200000" },
});

export const unset = defineOperation({
  name: "session.unset",
  summary: "Remove a session's preference; the project's preference applies again",
  http: "POST /v1/sessions/{id}/unset",
  actor: "anyone",
  input: z.strictObject({ ...one, name }),
  output,
  errors,
  example: { id: "ses_01jd8q3m7k4x9t2v5b8n1c", name: "budget" },
});

export const promote = defineOperation({
  name: "session.promote",
  summary: "Apply a session's preference to all sessions of its project, or undo that",
  http: "POST /v1/sessions/{id}/promote",
  actor: "anyone",
  input: z.strictObject({
    ...one,
    name,
    withdraw: z.boolean().default(false).describe("Undo: each session then has only its own"),
  }),
  output,
  errors,
  example: { id: "ses_01jd8q3m7k4x9t2v5b8n1c", name: "budget" },
});

export const note = defineOperation({
  name: "session.note",
  summary: "Set a named note on a session; an empty text removes it",
  http: "POST /v1/sessions/{id}/note",
  actor: "anyone",
  input: z.strictObject({
    ...one,
    name: z.string().trim().min(1).max(80).describe("Name of the note"),
    text: z.string().max(2000).describe("Text of the note; empty removes it"),
  }),
  output,
  errors,
  example: { id: "ses_01jd8q3m7k4x9t2v5b8n1c", name: "ticket", text: "SHOP-42" },
});

export const SessionNoted = defineEvent(
  "session.noted",
  1,
  "Notes or preferences of a session changed",
  z.object({ session: Session, preferences: z.record(z.string(), z.string()) }),
);

export const SessionPreferencePromoted = defineEvent(
  "session.preference-promoted",
  1,
  "A preference was applied to all sessions of a project, or removed",
  z.object({
    session: SessionId,
    name: z.string(),
    value: z.string().optional().describe("Absent when it was undone"),
  }),
);
