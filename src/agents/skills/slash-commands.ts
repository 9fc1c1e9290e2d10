/**
 * Slash commands of several agents, and who is meant by one.
 *
 *   /name -> known? -> one agent has it: that one
 *                      several: the addressed one, else the one whose phase the session is in, else a question to the user
 */
import { type DomainError, invalidInput, type RoleName, type Workflow } from "../../contract/index.ts";
import { nearestName } from "../../platform/nearest-name.ts";
import type { SkillCall } from "./callable-skill.ts";
import { parseSlashLine, type SlashLine } from "./slash-line.ts";

export type SlashCommand = {
  /** Without the slash. */
  readonly name: string;
  readonly agent: RoleName;
  readonly summary: string;
  run(line: SlashLine, call: SkillCall): Promise<unknown>;
};
export type Phase = Workflow["phase"];

/** The role that leads in a phase, if one does. */
const leaders: Partial<Record<Phase, RoleName>> = {
  research: "academic",
  planning: "architect",
  inspection: "inspector",
  testing: "tester",
};

export type Where = { readonly addressed?: RoleName | undefined; readonly phase?: Phase | undefined };
/** What is put to the user when nothing decides; each option says what to write instead. */
export type SlashQuestion = {
  readonly kind: "question";
  readonly question: string;
  readonly options: readonly { readonly agent: RoleName; readonly summary: string; readonly write: string }[];
};
export type SlashCommands = {
  readonly known: readonly SlashCommand[];
  resolve(name: string, where: Where): SlashCommand | SlashQuestion;
  run(line: SlashLine | string, where: Where, call: SkillCall): Promise<unknown>;
};

export function createSlashCommands(commands: readonly SlashCommand[]): SlashCommands {
  const byName = Map.groupBy(commands, ({ name }) => name);
  for (const [name, same] of byName)
    if (new Set(same.map(({ agent }) => agent)).size < same.length)
      throw new TypeError(`one agent has /${name} twice; a call could mean either`);

  function resolve(name: string, { addressed, phase }: Where): SlashCommand | SlashQuestion {
    const meant = byName.get(name);
    if (meant === undefined) throw unknownCommand(name, [...byName.keys()]);
    const [only] = meant;
    if (meant.length === 1 && only !== undefined) return only;
    const leader = phase === undefined ? undefined : leaders[phase];
    return (
      meant.find(({ agent }) => agent === addressed) ??
      meant.find(({ agent }) => agent === leader) ??
      questionAbout(name, meant)
    );
  }

  return {
    known: commands,
    resolve,
    async run(line, where, call) {
      const parsed = typeof line === "string" ? parseSlashLine(line) : line;
      const command = resolve(parsed.name, where);
      return "kind" in command ? command : command.run(parsed, call);
    },
  };
}

function questionAbout(name: string, meant: readonly SlashCommand[]): SlashQuestion {
  return {
    kind: "question",
    question: `/${name} is a command of ${meant.map(({ agent }) => agent).join(" and ")}: whom do you mean?`,
    options: meant.map(({ agent, summary }) => ({ agent, summary, write: `@to:${agent} /${name}` })),
  };
}

/** The nearest first, then all others in their order. */
function unknownCommand(name: string, known: readonly string[]): DomainError {
  const near = nearestName(name, known);
  const sorted = near === undefined ? known : [near, ...known.filter((other) => other !== near)];
  const message = `there is no command /${name}${near === undefined ? "" : `; did you mean /${near}?`} Known: ${sorted.map((one) => `/${one}`).join(", ")}`;
  return invalidInput("command", `unknown command /${name}`, {
    sentence: message.replace(/([^?]) Known/, "$1; known"),
    details: { known: sorted },
  });
}
