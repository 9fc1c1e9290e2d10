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

export const Preference = z.enum(["provider", "budget", "onBlur"]);
export type Preference = z.infer<typeof Preference>;

const rules: Readonly<Record<Preference, { readonly holds: RegExp; readonly wanted: string }>> = {
  provider: { holds: /^[a-z][a-z0-9-]{0,59}$/, wanted: 'the name of a provider ("sylk provider list")' },
  budget: { holds: /^[1-9][0-9]{0,11}$/, wanted: "the tokens a run may use at the most, such as 200000" },
  onBlur: { holds: /^(pause|background)$/, wanted: "pause or background" },
};

const one = { id: SessionId.describe("Session id") };
const name = Preference.describe(
  "provider: who answers; budget: tokens of each run; onBlur: what becomes of the session when you look elsewhere",
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
  summary: "Set a preference of a session: it holds for what is started there and does not say otherwise",
  http: "POST /v1/sessions/{id}/set",
  actor: "anyone",
  input: z
    .strictObject({ ...one, name, value: z.string().min(1).max(60).describe("What to prefer") })
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
  summary: "Take a preference of a session away; one that is promoted to the project holds again",
  http: "POST /v1/sessions/{id}/unset",
  actor: "anyone",
  input: z.strictObject({ ...one, name }),
  output,
  errors,
  example: { id: "ses_01jd8q3m7k4x9t2v5b8n1c", name: "budget" },
});

export const promote = defineOperation({
  name: "session.promote",
  summary: "Give a session's preference to all sessions of its project, or take it back",
  http: "POST /v1/sessions/{id}/promote",
  actor: "anyone",
  input: z.strictObject({
    ...one,
    name,
    withdraw: z.boolean().default(false).describe("Take it back: then each session has only its own"),
  }),
  output,
  errors,
  example: { id: "ses_01jd8q3m7k4x9t2v5b8n1c", name: "budget" },
});

export const note = defineOperation({
  name: "session.note",
  summary: "Note something about a session under a name; an empty text removes it",
  http: "POST /v1/sessions/{id}/note",
  actor: "anyone",
  input: z.strictObject({
    ...one,
    name: z.string().trim().min(1).max(80).describe("What the note is called"),
    text: z.string().max(2000).describe("What it says; empty removes it"),
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
  "A preference holds for all sessions of a project, or no longer",
  z.object({
    session: SessionId,
    name: z.string(),
    value: z.string().optional().describe("Absent when it was taken back"),
  }),
);
