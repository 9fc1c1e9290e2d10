/**
 * Roles that need a model for a question: Architect, Inspector, Tester.
 *
 *   USER_INPUT -> wants a change? the way to start one, without a model
 *              -> the Librarian's context (through the Guide) -> model -> USER_RESPONSE | "not mine" -> REROUTE_REQUEST
 *
 * Files may hold instructions: the model gets them fenced, as data.
 */
import { DomainError, type Message, type PayloadOf, RoleName } from "../../../contract/index.ts";
import type { PromptPort, PromptRequest } from "../../../orchestration/executors/index.ts";
import {
  type Answer,
  answerMessages,
  type RoleHandler,
  type SessionRouter,
} from "../../../orchestration/guide/index.ts";
import { ModelFailure } from "../../../orchestration/models/index.ts";
import { defined } from "../../../platform/defined.ts";
import { readPrompt } from "../../../platform/shipped-files.ts";
import { untrusted } from "../../../platform/untrusted-text.ts";

type AnsweringRole = "architect" | "inspector" | "tester";
type Ports = {
  readonly prompts: PromptPort;
  readonly router: Pick<SessionRouter, "ask" | "heartbeat">;
};
/** Which model the asker wants, as the asker's message carries it. */
type Wanted = Pick<PromptRequest, "provider" | "rehearse">;
type Context = Pick<PayloadOf<"CONTEXT_RESPONSE">, "found">;
type QuestionAnswer = Answer<"USER_INPUT">;

const contextDeadlineMs = 30_000;

/** What each of them is there for, in its own words. */
const tasks: Readonly<Record<AnsweringRole, string>> = {
  architect: "agents/architect/question-prompt.md",
  inspector: "agents/inspector/prompt.md",
  tester: "agents/tester/prompt.md",
};

export function answerByModel(role: AnsweringRole, { prompts, router }: Ports): RoleHandler {
  return answerMessages({
    async USER_INPUT(message, signal) {
      const { text, intent } = message.payload;
      if (intent === "execute") return theWayToChange(text);
      const context = await router.ask(
        role,
        "librarian",
        "CONTEXT_REQUEST",
        { question: text },
        {
          parent: message,
          priority: message.priority,
          deadlineMs: contextDeadlineMs,
          signal,
          metadata: message.metadata,
        },
      );
      const answer = await prompts
        .answer({
          role,
          system: systemOf(role),
          prompt: promptOf(role, text, context.payload),
          ...((message.metadata.model ?? {}) as Wanted),
          timeoutMs: leftOf(message),
          signal,
          onBeat: () => router.heartbeat(role),
        })
        .catch((error: unknown) => {
          throw asUnavailable(error, role);
        });
      return (
        refusalIn(answer.text) ?? {
          type: "USER_RESPONSE",
          payload: {
            text: answer.text,
            model: answer.model,
            ...defined({ label: answer.label }),
          },
        }
      );
    },
  });
}

function theWayToChange(text: string): QuestionAnswer {
  const command = ["sylk", "run", text];
  return {
    type: "USER_RESPONSE",
    payload: { text: `That wants a change. Start it with: sylk run ${JSON.stringify(text)}`, data: { command } },
  };
}

function systemOf(role: AnsweringRole): string {
  return readPrompt("agents/shared/answers/prompt.md", { ROLE: role, TASK: readPrompt(tasks[role]) });
}

function promptOf(role: AnsweringRole, question: string, { found }: Context): string {
  const asked = `For the ${role}: ${question}`;
  const files = found.map(({ path, excerpt }) => untrusted(excerpt, `the file ${path}`));
  return files.length === 0 ? asked : `${asked}\n\nFiles that may matter:\n${files.join("\n")}`;
}

/** A role may say that the question is another one's. */
function refusalIn(text: string): QuestionAnswer | undefined {
  const [, name, reason] = /^REROUTE ([a-z]+): (.{1,500})$/.exec(text.trim()) ?? [];
  const suggested = RoleName.safeParse(name);
  if (reason === undefined || !suggested.success) return undefined;
  return { type: "REROUTE_REQUEST", payload: { reason, suggested: suggested.data } };
}

function leftOf({ at, deadlineAt = at }: Message): number {
  return Math.max(1, deadlineAt - at);
}

/** What a role says when its model fails. */
export function asUnavailable(error: unknown, role: RoleName): unknown {
  if (!(error instanceof ModelFailure)) return error;
  const { kind, retryAfterMs, message } = error;
  return new DomainError("role.unavailable", `${role} cannot answer: ${message}`, {
    details: { role, reason: kind },
    ...defined({ retryAfterMs }),
    cause: error,
  });
}
