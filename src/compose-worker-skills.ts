/**
 * The composition root's part for the skills of a run's models: files, what a model can call, and what is recorded.
 *
 *   SKILL.md of the user's tree and home, read once -> per conversation: loaded by its text -> prompt, tools, journal
 */
import { architectCommands, architectRole, queryContext } from "./agents/architect/index.ts";
import { consultLibrarian, engineerRole } from "./agents/engineer/index.ts";
import {
  callable,
  type CallableSkill,
  type ConversationSkills,
  createSlashCommands,
  openConversationSkills,
  type RoleDefinition,
  type RoutingPort,
  runCommandSkill,
  sharedCallables,
  type SkillCall,
} from "./agents/every-agent/index.ts";
import { inspectorCommands } from "./agents/inspector/index.ts";
import { librarianCommands } from "./agents/librarian/index.ts";
import { DomainError, maySend, type Message, type NodeId, type RoleName } from "./contract/index.ts";
import { createTokenMeter, type FileSkills, readFileSkills } from "./knowledge/skills/index.ts";
import { namesOfRoles } from "./compose-roles.ts";
import type { RunContext } from "./orchestration/runs/index.ts";
import type { SylkClient } from "./surfaces/client/index.ts";

type About = { readonly node?: NodeId; readonly text: string; readonly parent: Message };
export type RunSkills = Readonly<Record<"architect" | "engineer", (about: About) => Promise<ConversationSkills>>>;

const answerMs = 2 * 60_000;
export function runSkills(context: RunContext, user: SylkClient): RunSkills {
  const { work, record } = context;
  let reading: Promise<FileSkills> | undefined;
  const files = () =>
    (reading ??= readFileSkills(work.skillPlaces, { taken: namesOfRoles, measure: createTokenMeter() }));

  async function open(role: RoleDefinition, { node, text, parent }: About, own: readonly CallableSkill[]) {
    return openConversationSkills({
      role,
      session: work.run.session,
      files: await files(),
      callable: [...sharedCallables(routingOf(parent, context)), ...own],
      text,
      record: (skills) => record({ kind: "skills", role: role.name, node, ...skills }),
    });
  }

  const runNow = async () => (await user.call("run.get", { id: work.run.id })).run;
  /** What the Librarian answers to a question of a model. */
  const looking = (parent: Message) => {
    const { route } = routingOf(parent, context);
    return async (message: string, { session, agent, signal }: SkillCall) =>
      (await route({ session, from: agent, to: "librarian", message }, signal)).answer;
  };
  return {
    architect: (about) => {
      const look = looking(about.parent);
      const commands = createSlashCommands([
        ...architectCommands({ runNow }),
        ...librarianCommands(look),
        ...inspectorCommands({ runNow }),
      ]);
      return open(architectRole, about, [
        runCommandSkill(commands, () => ({ phase: "planning" })),
        callable(queryContext, "read", ({ query }, call) => look(query, call)),
      ]);
    },
    engineer: (about) => {
      const look = looking(about.parent);
      return open(engineerRole, about, [callable(consultLibrarian, "read", ({ query }, call) => look(query, call))]);
    },
  };
}

/** Who can be asked in words, and by which message of the registry. */
const askedInWords = {
  librarian: { type: "CONTEXT_REQUEST", payload: (question: string) => ({ question }) },
} as const;

/** Messages of models pass the Guide as all others do. */
function routingOf(parent: Message, { guide }: RunContext): RoutingPort {
  return {
    async route({ from, to, message }, signal) {
      const mayAsk = Object.entries(askedInWords).filter(([name, { type }]) => maySend(type, from, name as RoleName));
      const [, asked] = mayAsk.find(([name]) => name === to) ?? [];
      if (asked === undefined)
        throw new DomainError(
          "caller.denied",
          `the ${from} cannot write to "${to}" in a run; it can write to ${mayAsk.map(([name]) => name).join(", ")}`,
          { details: { needed: "an agent that can be asked in words" } },
        );
      const terms = { parent, deadlineMs: answerMs, signal };
      const answer = await guide.ask(from, to as keyof typeof askedInWords, asked.type, asked.payload(message), terms);
      return { correlationId: answer.correlationId, answer: answer.payload };
    },
    reply: async ({ to }) => {
      throw new DomainError("caller.denied", `${to} waits for no answer in words: a run is answered by its tools`, {
        details: { needed: "a request in words" },
      });
    },
  };
}
