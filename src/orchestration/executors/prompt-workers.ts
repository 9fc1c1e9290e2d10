/**
 * Prompts as the daemon has them answered: one worker process for each.
 *
 *   answer -> worker starts and waits -> its process is recorded -> "ask" -> answered | failed -> it is gone -> settled
 *
 * Invariant: when the promise settles, nothing of the worker's group runs any more, however it ended.
 */
import type { ChildProcess } from "node:child_process";
import type { Clock } from "../../platform/clock/index.ts";
import { defaultBeatMs } from "../../platform/heartbeat.ts";
import { ModelFailure, type Providers } from "../models/index.ts";
import type { CommandPort, ProcessIdentity } from "./command-port.ts";
import type { ProcessRecorder } from "./process-recorder.ts";
import type { PromptAnswer, PromptPort, PromptRequest } from "./prompt-port.ts";
import type { FromPromptWorker, PromptWork, ToPromptWorker } from "./prompt-protocol.ts";
import { errorOf } from "./prompt-trouble.ts";

type Ports = {
  readonly clock: Clock;
  readonly commands: Pick<CommandPort, "endGroup">;
  /** Records the worker of a question that has no recorder of its own. */
  readonly processes: Pick<ProcessRecorder, "run">;
  readonly startTimeOf: (pid: number) => Promise<string | undefined>;
  /** Starts a worker process, in a group of its own, with a channel to us. */
  readonly spawnWorker: () => ChildProcess;
  readonly providers: Pick<Providers, "choose">;
  /** Keys that must stand in no answer. */
  readonly secrets: () => readonly string[];
  /** Takes secrets out of what a model said. */
  readonly clean: <T>(value: T) => T;
  readonly beatMs?: number;
};

export function createPrompts(ports: Ports): PromptPort {
  return {
    async answer(request) {
      refuseAborted(request.signal);
      const { role, system, prompt, rehearse, maxOutputTokens } = request;
      const model = rehearse === undefined ? await ports.providers.choose(request.provider) : undefined;
      const { beatMs = defaultBeatMs } = ports;
      const work = { role, system, prompt, rehearse, maxOutputTokens, model, beatMs, secrets: ports.secrets() };
      const { onStarted } = request;
      const answer =
        onStarted === undefined
          ? await ports.processes.run("prompts", (recorded) => ask(work, { ...request, onStarted: recorded }, ports))
          : await ask(work, request, ports);
      return ports.clean(answer);
    },
  };
}

type Outcome = { readonly answer: PromptAnswer } | { readonly error: Error };

async function ask(work: PromptWork, request: PromptRequest, ports: Ports): Promise<PromptAnswer> {
  const { signal, timeoutMs } = request;
  const child = ports.spawnWorker();
  let outcome = failed(new ModelFailure("transient", "The process that asks the model ended unexpectedly"));
  let group: ProcessIdentity | undefined;
  const gone = new Promise<void>((resolve) => {
    child.once("close", () => resolve()); // not "exit": the answer may still be in the channel then
    child.once("error", (error) => {
      outcome = failed(error);
      resolve();
    });
  });
  const stop = (error: Error): void => {
    outcome = failed(error);
    child.kill("SIGKILL");
  };
  /** The worker waits for its question: it is recorded before it does anything. */
  const begin = async (): Promise<void> => {
    const startedAt = await ports.startTimeOf(child.pid!);
    if (startedAt === undefined) return; // it is gone already: its end is handled there
    group = { pid: child.pid!, startedAt };
    await request.onStarted?.(group);
    const question: ToPromptWorker = { kind: "ask", work };
    if (child.connected) child.send(question, () => {}); // its exit tells when it died
  };
  child.on("message", (message: FromPromptWorker) => {
    if (message.kind === "ready") void begin().catch((error: unknown) => stop(error as Error));
    else if (message.kind === "beat") request.onBeat?.();
    else outcome = message.kind === "answered" ? { answer: message.answer } : failed(errorOf(message.failure));
  });
  const abort = (): void => stop(aborted(signal));
  const late = (): void => stop(new ModelFailure("transient", `The model took longer than ${timeoutMs} ms`));
  const timer = ports.clock.after(timeoutMs, late, { keepAlive: true });
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  await gone;
  timer.cancel();
  signal?.removeEventListener("abort", abort);
  if (group !== undefined) await ports.commands.endGroup(group);
  if ("error" in outcome) throw outcome.error;
  return outcome.answer;
}

function failed(error: Error): Outcome {
  return { error };
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal);
}

function aborted(signal: AbortSignal | undefined): ModelFailure {
  return new ModelFailure("aborted", "The question was taken back", { cause: signal?.reason });
}
