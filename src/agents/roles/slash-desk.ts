/**
 * Slash commands outside of runs: which there are, whom a typed line is for, and how a role carries it out.
 *
 *   sylk ask "/issues" -> directed to the role that has it -> the Guide -> that role's run_command -> answer
 */
import type { Message, RoleName, SessionId, SkillRole } from "../../contract/index.ts";
import type { RoleHandler, SessionRouter } from "../../orchestration/guide/index.ts";
import { academicCommands } from "../academic/index.ts";
import { architectCommands } from "../architect/index.ts";
import { inspectorCheckCommands, inspectorCommands } from "../inspector/index.ts";
import { searchPlaces } from "../shared/code-look/index.ts";
import { librarianCodeCommands, librarianCommands, librarianFileCommands, toolCommands } from "../librarian/index.ts";
import {
  type CallableSkill,
  createSkillDesk,
  createSlashCommands,
  isSlashLine,
  type Phase,
  runCommand,
  runCommandSkill,
  type SkillPlace,
  type SlashCommands,
  takingSlashLines,
  whomFor,
} from "../skills/index.ts";
import { testerCommands } from "../tester/index.ts";
import type { RolePorts, RolePortsAt } from "./role-ports.ts";
import { roles } from "./roles.ts";

type RolePlace = Omit<SkillPlace, "own">;
export type SlashDesk = {
  readonly known: SlashCommands["known"];
  /** The skill run_command of a role, in one place. */
  skill(role: SkillRole, at: RolePlace): CallableSkill;
  /** A role's handler that also takes slash lines. */
  taking(role: SkillRole, handler: RoleHandler): RoleHandler;
  /** The same question, with a tag where it is a slash line without one. */
  direct<Asked extends Question>(asked: Asked, router: SessionRouter): Promise<Asked>;
};
type SlashPorts = {
  readonly portsAt: RolePortsAt;
  readonly placeOf: (message: Message) => Omit<RolePlace, "session">;
  readonly phaseOf: (session: SessionId) => Promise<Phase>;
};
type Question = { readonly input: string; readonly confirm?: RoleName | undefined };

/** Behind a tag or without one; most questions need no second look. */
const mayHoldSlashLine = /(?:^|[\s"])\/[a-z]/i;
const takers = Object.values(roles).flatMap(({ name, core }) =>
  core.some(({ id }) => id === runCommand.id) ? [name] : [],
);

export function createSlashDesk({ portsAt, placeOf, phaseOf }: SlashPorts): SlashDesk {
  // The list of commands is the same in every place.
  const commands = commandsOf(portsAt({ session: "ses_none" as SessionId, tree: "/", project: undefined }));
  const skill: SlashDesk["skill"] = (role, at) =>
    runCommandSkill(commandsOf(portsAt(at)), async () => ({
      addressed: role,
      phase: await phaseOf(at.session),
    }));
  return {
    known: commands.known,
    skill,
    taking: (role, handler) =>
      takingSlashLines(handler, (line, message, signal) => {
        const { session } = message;
        const callable = [skill(role, { session, ...placeOf(message) })];
        return createSkillDesk({ role: roles[role], session, callable }).call(
          runCommand.name,
          { command: line },
          { signal },
        );
      }),
    async direct(asked, router) {
      if (!mayHoldSlashLine.test(asked.input)) return asked;
      const { decision } = router.explain(asked.input);
      const { text, by, to } = decision;
      if (!isSlashLine(text)) return asked;
      const addressed = by === "tag" ? to : asked.confirm === undefined ? [] : [asked.confirm];
      const [agent] = whomFor({ text, addressed }, { commands, takers, phase: await phaseOf(router.session) });
      return by === "tag" ? asked : { ...asked, input: `@to:${agent} ${text}` };
    },
  };
}

function commandsOf(ports: RolePorts): SlashCommands {
  const runNow = () => ports.run();
  return createSlashCommands([
    ...architectCommands({ runNow }),
    ...academicCommands(ports.research),
    ...librarianCommands((question) => searchPlaces(question, ports.look)),
    ...librarianFileCommands(ports.files),
    ...librarianCodeCommands(ports),
    ...toolCommands(ports),
    ...inspectorCommands({ runNow }),
    ...inspectorCheckCommands(ports),
    ...testerCommands(ports),
  ]);
}
