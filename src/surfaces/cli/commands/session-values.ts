/** Notes and preferences of a session on the command line. */
import { defined } from "../../../platform/defined.ts";
import type { CommandContext } from "../command.ts";
import { focusedUnlessNamed } from "../focused-session.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { tokens } from "../wording.ts";

type Fields = Record<string, unknown>;
type Values = Readonly<Record<string, string>>;

const ofSession = {
  without: ["id"],
  flags: { session: { describe: "Session (default: your current one)", value: "id" } },
  adjust: (input: Fields, context: CommandContext): Promise<Fields> => {
    const { session } = context.flags;
    return focusedUnlessNamed({ ...input, ...defined({ id: session }) }, context);
  },
} as const;

export const set = operationCommand("session.set", {
  example: "sylk session set budget 200k",
  details: '"sylk session promote" applies it to all sessions of the project.',
  fields: ["name", "value"],
  ...ofSession,
  adjust: ({ name, value, ...input }, context) =>
    ofSession.adjust({ ...input, name, value: name === "budget" ? String(tokens(String(value))) : value }, context),
  print: printPreferences,
});

export const unset = operationCommand("session.unset", {
  fields: ["name"],
  ...ofSession,
  print: printPreferences,
});

export const promote = operationCommand("session.promote", {
  details: "A session's own preference overrides the project's.",
  fields: ["name"],
  ...ofSession,
  print: printPreferences,
});

export const note = operationCommand("session.note", {
  fields: ["name", "text"],
  ...ofSession,
  print({ session: { id, name, metadata } }, out) {
    const notes = Object.entries(metadata).map(([title, text]) => `  ${title}: ${text}`);
    out.line(`${id} "${name}" has ${notes.length === 0 ? "no notes" : "these notes:"}`);
    for (const line of notes) out.line(line);
  },
});

type Answer = { readonly session: { readonly id: string; readonly name: string } } & Record<
  "preferences" | "promoted",
  Values
>;

function printPreferences({ session: { id, name }, preferences, promoted }: Answer, out: Output): void {
  const lines = preferenceLines(preferences, promoted);
  out.line(
    `${id} "${name}" has ${lines.length === 0 ? "no preferences of its own" : `the preferences ${lines.join(", ")}`}`,
  );
}

/** Each with where it comes from. */
export function preferenceLines(preferences: Values, promoted: Values): readonly string[] {
  return Object.entries(preferences).map(([name, value]) => {
    const isProjects = promoted[name] === value;
    return `${name} ${value}${isProjects ? " (all sessions of the project)" : ""}`;
  });
}
