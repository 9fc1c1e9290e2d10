/**
 * Slash commands outside of runs: those that there are, whom a typed line is for, and how a role carries it out.
 *
 *   sylk ask "/issues" -> directed to whoever has it -> the Guide -> that role's run_command -> answer
 */
import { architectCommands } from "./agents/architect/index.ts";
import {
  type CallableSkill,
  createSkillDesk,
  createSlashCommands,
  isSlashLine,
  type Phase,
  runCommand,
  runCommandSkill,
  type SlashCommands,
  takingSlashLines,
  whomFor,
} from "./agents/every-agent/index.ts";
import { inspectorCheckCommands, inspectorCommands } from "./agents/inspector/index.ts";
import { librarianCommands, librarianFileCommands } from "./agents/librarian/index.ts";
import { testerCommands } from "./agents/tester/index.ts";
import type { Message, SessionId, SkillRole } from "./contract/index.ts";
import type { At, RolePorts, RolePortsAt } from "./compose-role-ports.ts";
import { roles } from "./compose-roles.ts";
import type { RoleHandler, SessionRouter } from "./orchestration/guide/index.ts";

export type Slash = {
  readonly known: SlashCommands["known"];
  /** The skill run_command of a role, in one place. */
  skill(role: SkillRole, at: At): CallableSkill;
  /** A role's handler that also takes slash lines. */
  taking(role: SkillRole, handler: RoleHandler): RoleHandler;
  /** The same words, with a tag where they are a slash line without one. */
  direct(input: string, router: SessionRouter, phaseOf: PhaseOf): Promise<string>;
};
/** What a session is at. */
export type PhaseOf = (session: SessionId) => Promise<Phase>;
type PlaceOf = (message: Message) => Omit<At, "session">;

const takers = Object.values(roles).flatMap(({ name, core }) =>
  core.some(({ id }) => id === runCommand.id) ? [name] : [],
);

export function composeSlash(portsAt: RolePortsAt, placeOf: PlaceOf): Slash {
  // Which commands there are depends on nobody's place.
  const commands = commandsOf(portsAt({ session: "ses_none" as SessionId, tree: "/", project: undefined }));
  const skill: Slash["skill"] = (role, at) => runCommandSkill(commandsOf(portsAt(at)), () => ({ addressed: role }));
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
    async direct(input, router, phaseOf) {
      const { decision } = router.explain(input);
      if (!isSlashLine(decision.text)) return input;
      const addressed = decision.by === "tag" ? decision.to : [];
      const phase = await phaseOf(router.session);
      const [to] = whomFor({ text: decision.text, addressed }, { commands, takers, phase });
      return addressed.length > 0 ? input : `@to:${to} ${decision.text}`;
    },
  };
}

function commandsOf(ports: RolePorts): SlashCommands {
  const runNow = () => ports.run();
  return createSlashCommands([
    ...architectCommands({ runNow }),
    ...librarianCommands((question) => ports.search(question)),
    ...librarianFileCommands(ports.files),
    ...inspectorCommands({ runNow }),
    ...inspectorCheckCommands(ports),
    ...testerCommands(ports),
  ]);
}
