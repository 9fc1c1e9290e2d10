/**
 * The skills of a run's models: files, what a model can call, and what is recorded.
 *
 *   SKILL.md of the user's tree and home, read once -> per conversation: loaded by its text -> prompt, tools, journal
 */
import { architectCommands, architectRole, queryContext } from "../architect/index.ts";
import { consultArchivalist, consultLibrarian, engineerRole } from "../engineer/index.ts";
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
} from "../skills/index.ts";
import { inspectorCommands } from "../inspector/index.ts";
import { librarianCommands } from "../librarian/index.ts";
import {
  type AnswerType,
  DomainError,
  type HistoryEntry,
  maySend,
  type Message,
  type MessageType,
  NodeId,
  type PayloadOf,
  type RoleName,
  type Run,
} from "../../contract/index.ts";
import { createTokenMeter, type FileSkills, readFileSkills } from "../../knowledge/skills/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";
import { namesOfRoles } from "./roles.ts";

type About = { readonly node?: NodeId | undefined; readonly text: string; readonly parent: Message };
export type RunSkills = Readonly<Record<"architect" | "engineer", (about: About) => Promise<ConversationSkills>>>;

const answerMs = 2 * 60_000;
export function runSkills(context: RunContext, runNow: () => Promise<Run>): RunSkills {
  const { work, record } = context;
  let reading: Promise<FileSkills> | undefined;
  const files = () =>
    (reading ??= readFileSkills(work.skillPlaces, { taken: namesOfRoles, measure: createTokenMeter() }));

  async function open(role: RoleDefinition, { node, text, parent }: About, own: readonly CallableSkill[]) {
    return openConversationSkills({
      role,
      session: work.run.session,
      files: await files(),
      callable: [...sharedCallables(routingOf({ parent, node }, context)), ...own],
      text,
      record: (skills) => record({ kind: "skills", role: role.name, node, ...skills }),
    });
  }

  /** The answer of a role to a model's question. */
  const asking = (about: About, to: RoleName) => {
    const { route } = routingOf(about, context);
    return async (message: string, { session, agent, signal }: SkillCall) =>
      (await route({ session, from: agent, to, message }, signal)).answer;
  };
  return {
    architect: (about) => {
      const [look, recall] = [asking(about, "librarian"), asking(about, "archivalist")];
      const commands = createSlashCommands([
        ...architectCommands({ runNow }),
        ...librarianCommands(look),
        ...inspectorCommands({ runNow }),
      ]);
      return open(architectRole, about, [
        runCommandSkill(commands, () => ({ phase: "planning" })),
        callable(queryContext, "read", ({ query, source = "librarian" }, call) =>
          (source === "archivalist" ? recall : look)(query, call),
        ),
      ]);
    },
    engineer: (about) => {
      const [look, recall] = [asking(about, "librarian"), asking(about, "archivalist")];
      return open(engineerRole, about, [
        callable(consultLibrarian, "read", ({ query }, call) => look(query, call)),
        callable(consultArchivalist, "read", ({ query }, call) => recall(query, call)),
      ]);
    },
  };
}

type Asked<Type extends MessageType> = {
  /** Who gets the message: an Engineer reaches the Architect through the Orchestrator. */
  readonly to: RoleName;
  readonly type: Type;
  readonly payload: (question: string, node: NodeId | undefined) => PayloadOf<Type>;
  /** What the model is told of the answer. */
  readonly told: (payload: PayloadOf<AnswerType<Type>>) => unknown;
};
type Way = {
  readonly mayAsk: (from: RoleName) => boolean;
  readonly ask: (
    guide: RunContext["guide"],
    from: RoleName,
    question: string,
    node: NodeId | undefined,
    terms: Parameters<RunContext["guide"]["ask"]>[4],
  ) => Promise<{ readonly correlationId: string; readonly answer: unknown }>;
};

/** Who can be asked in words, and by which message of the registry. */
const askedInWords: Readonly<Record<string, Way>> = {
  librarian: inWords({
    to: "librarian",
    type: "CONTEXT_REQUEST",
    payload: (question) => ({ question }),
    told: (payload) => payload,
  }),
  archivalist: inWords({
    to: "archivalist",
    type: "HISTORY_REQUEST",
    payload: (question) => ({ question }),
    told: ({ entries }) => ({ entries: entries.map(briefly) }),
  }),
  academic: inWords({
    to: "academic",
    type: "RESEARCH_REQUEST",
    payload: (question) => ({ question }),
    told: (payload) => payload,
  }),
  architect: inWords({
    to: "orchestrator",
    type: "TASK_HELP",
    payload: (question, node) => ({ question, node: NodeId.parse(node) }),
    told: ({ answer }) =>
      answer ?? "only the user can say it; ask with request_help, and the work waits for the answer",
  }),
};

function inWords<Type extends MessageType>({ to, type, payload, told }: Asked<Type>): Way {
  return {
    mayAsk: (from) => maySend(type, from, to),
    async ask(guide, from, question, node, terms) {
      const answer = await guide.ask(from, to, type, payload(question, node), terms);
      return { correlationId: answer.correlationId, answer: told(answer.payload) };
    },
  };
}

function briefly({ id, title, content: { status, reason, summary }, at }: HistoryEntry): object {
  return { id, title, status, reason, summary, at };
}

/** Messages of models pass the Guide as all others do. */
function routingOf({ parent, node }: Pick<About, "parent" | "node">, { guide }: RunContext): RoutingPort {
  return {
    async route({ from, to, message }, signal) {
      const mayAsk = Object.entries(askedInWords).filter(([, way]) => way.mayAsk(from));
      const [, way] = mayAsk.find(([name]) => name === to) ?? [];
      if (way === undefined)
        throw new DomainError(
          "caller.denied",
          `the ${from} cannot write to "${to}" in a run; it can write to ${mayAsk.map(([name]) => name).join(", ")}`,
          { details: { needed: "an agent that can be asked in words" } },
        );
      return way.ask(guide, from, message, node, { parent, deadlineMs: answerMs, signal });
    },
    reply: async ({ to }) => {
      throw new DomainError("caller.denied", `${to} waits for no answer in words: a run is answered by its tools`, {
        details: { needed: "a request in words" },
      });
    },
  };
}
