/**
 * The Engineer: does one node through the model's tool calls.
 *
 *   TASK_DISPATCH -> an agent in the session's tree -> model with tools -> finish or give_up -> TASK_COMPLETE | TASK_FAILED
 *                                                                      `-> only the user knows -> TASK_HELP, and again later
 *
 * It says what it did; whether that holds is for Inspector and Tester to show.
 */
import * as z from "zod";
import { DomainError, type Message, type MessageOf, type NodeId } from "../../contract/index.ts";
import { type Answer, answerMessages, type RoleHandler } from "../../orchestration/guide/index.ts";
import { ModelFailure, type ModelTool } from "../../orchestration/models/index.ts";
import { BudgetExhausted, type RunContext } from "../../orchestration/runs/index.ts";
import { readPrompt } from "../../platform/shipped-files.ts";
import type { ConversationSkills } from "../skills/index.ts";
import { workPrompt } from "./prompt.ts";
import { withCheckpoints } from "./peer-findings.ts";
import { holdPatiently, type ReservationClient } from "./reservations.ts";
import { commandTool } from "./tools/command-tool.ts";
import { watchPromises } from "./unkept-promises.ts";
import { fileTools } from "./tools/file-tools.ts";
import { helpTool } from "./tools/help-tool.ts";
import { searchTool } from "./tools/search-tool.ts";

type Ports = RunContext & {
  /** Questions to the Librarian about the code of the run. */
  readonly librarianTools: readonly ModelTool[];
  /** As the Engineer of this node. */
  readonly reservationsOf: (node: NodeId) => ReservationClient;
  readonly approve: (argv: readonly string[], signal: AbortSignal, node?: NodeId) => Promise<boolean>;
  readonly openSkills: (about: SkillsFor) => Promise<ConversationSkills>;
};
type TaskAnswer = Answer<"TASK_DISPATCH">;
type SkillsFor = { readonly node: NodeId; readonly text: string; readonly parent: Message };

const mostSteps = 40;
const Named = z.record(z.string().min(1).max(200), z.json());
const FinishInput = z.object({
  summary: z.string().min(1).max(2000).describe("What holds now"),
  context: Named.optional().describe("Facts that later work needs, by name"),
  artifacts: Named.optional().describe("Results that later work can use, by name, such as paths of files"),
});
const GiveUpInput = z.object({ reason: z.string().min(1).max(2000) });

export function createEngineer(ports: Ports): RoleHandler {
  return answerMessages({
    async TASK_DISPATCH(message, signal) {
      const { id, title, prompt } = message.payload.node;
      try {
        const text = `${ports.work.run.request}\n${title}\n${prompt}`;
        const skills = await ports.openSkills({ node: id, text, parent: message });
        return await work(message, { client: ports.reservationsOf(id), skills }, signal, ports);
      } catch (error) {
        return failed(error);
      }
    },
  });
}

async function work(
  parent: MessageOf<"TASK_DISPATCH">,
  { client, skills }: { readonly client: ReservationClient; readonly skills: ConversationSkills },
  signal: AbortSignal,
  ports: Ports,
): Promise<TaskAnswer> {
  const { node, parents, answers, session } = parent.payload;
  let answer: TaskAnswer | undefined;
  const missing = await watchPromises(ports);
  const hold = holdPatiently(client);
  // An earlier attempt may have written already.
  let wrote = parent.payload.attempt > 1;
  const ending = new AbortController();
  const end = (name: string, description: string, input: z.ZodType, of: (given: unknown) => TaskAnswer): ModelTool => ({
    name,
    description,
    input,
    final: true,
    run: async (given) => {
      answer = of(given);
      return { ok: true };
    },
  });
  const tools: readonly ModelTool[] = [
    ...fileTools({
      tree: ports.workspace.tree,
      async hold(path, signal) {
        await hold(path, signal);
        wrote = true;
      },
    }),
    searchTool(ports),
    ...ports.librarianTools,
    commandTool({ ...ports, approve: (argv, signal) => ports.approve(argv, signal, node.id) }),
    helpTool({
      node: node.id,
      parent,
      answered: answers?.length ?? 0,
      guide: ports.guide,
      onWait(help) {
        answer = help;
        ending.abort();
      },
    }),
    ...skills.tools,
    end("finish", "Say that the work is done", FinishInput, (given) => ({
      type: "TASK_COMPLETE",
      payload: FinishInput.parse(given),
    })),
    end("give_up", "Say that the work cannot be done", GiveUpInput, (given) => ({
      type: "TASK_FAILED",
      payload: { ...GiveUpInput.parse(given), class: "permanent" },
    })),
  ];
  const { reason, text } = await ports
    .converse("engineer", node.id, {
      system: `${readPrompt("agents/engineer/prompt.md")}${skills.section}`,
      prompt: workPrompt(node, { parents, answers, session }),
      tools: withCheckpoints(tools, {
        run: ports.work.run.id,
        policy: ports.work.onBlockingFinding,
        clock: ports.clock,
        fetch: () => client.peerFindings(),
        onEnd(why) {
          answer = { type: "TASK_FAILED", payload: { reason: why, class: "permanent" } };
          ending.abort();
        },
      }),
      maxSteps: mostSteps,
      maxOutputTokens: 16_000,
      signal: AbortSignal.any([signal, ending.signal]),
    })
    .catch((error: unknown) => {
      if (!ending.signal.aborted) throw error;
      return { reason: "stop", text: "" };
    });
  if (answer?.type === "TASK_COMPLETE") {
    const notes = await missing(node, wrote);
    return notes.length === 0 ? answer : { ...answer, payload: { ...answer.payload, notes: [...notes] } };
  }
  if (answer !== undefined) return answer;
  const said = text.trim().slice(0, 500);
  return {
    type: "TASK_FAILED",
    payload: {
      reason: `the model ended (${reason}) without finishing${said === "" ? "" : `: ${said}`}`,
      class: "permanent",
    },
  };
}

/** What to do about it is in the class; a defect of ours is not swallowed here. */
function failed(error: unknown): TaskAnswer {
  if (error instanceof BudgetExhausted)
    return { type: "TASK_FAILED", payload: { reason: error.message, class: "user-fixable" } };
  if (error instanceof DomainError)
    return {
      type: "TASK_FAILED",
      payload: { reason: error.message, class: error.family === "unavailable" ? "transient" : "permanent" },
    };
  if (!(error instanceof ModelFailure)) throw error;
  const kind = error.kind === "aborted" ? "transient" : error.kind;
  return {
    type: "TASK_FAILED",
    payload: {
      reason: error.message,
      class: kind,
      ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    },
  };
}
