/**
 * Carries out one attempt of a node: a command or a prompt, each in a process group of its own.
 *
 *   approved? -> its paths reserved? -> a place in the pool -> its input (a file, or text of the prompt) -> process
 *   recorded -> command | model -> output kept -> result or NodeFailure
 *
 * Its time limit begins with its process: waiting for a place does not count.
 */
import { realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { DomainError, type DagId, type SessionId } from "../../contract/index.ts";
import type { Pool } from "../../platform/pool/index.ts";
import { type DispatchContext, type ErrorClass, NodeFailure } from "../dag/index.ts";
import type { CommandPort, CommandResult, ProcessIdentity, PromptPort } from "../executors/index.ts";
import { ModelFailure, type ModelFailureKind } from "../models/index.ts";
import { roleOf } from "./graph.ts";
import type { Hold } from "./keep-hold.ts";
import { refuseUnapproved } from "./node-approval.ts";
import type { NodeFiles } from "./node-files.ts";
import { nodeInput, type NodeResult, withInput } from "./node-input.ts";
import type { Reserves } from "./path-reservations.ts";
import type { DagOptions, NodeSpec } from "./store.ts";

export type NodePorts = {
  readonly pool: Pick<Pool, "submit">;
  readonly commands: CommandPort;
  readonly prompts: PromptPort;
  /** A copy without secrets. */
  readonly clean: <T>(value: T) => T;
  /** Without them commands get no input, and leave no context and no artifacts. */
  readonly files?: NodeFiles | undefined;
};

export type Attempt = {
  readonly dag: DagId;
  readonly session: SessionId;
  readonly node: string;
  readonly spec: NodeSpec;
  readonly options: DagOptions;
  readonly context: DispatchContext;
  /** Throws Blocked when somebody else has them. */
  readonly hold: (wanted: Reserves) => Promise<Hold>;
  /** Runs what starts a process, which is recorded before it does anything and forgotten when it has ended. */
  readonly recorded: <T>(run: (onStarted: (process: ProcessIdentity) => Promise<void>) => Promise<T>) => Promise<T>;
  /** Told what it said, whether it got done or not. */
  readonly onOutput: (output: string) => void;
};

const outputLimit = 64 * 1024;
const resultLimit = 8_000;
const commandInputLimit = 1024 * 1024;
const promptInputLimit = 100_000;

export async function carryOutNode(attempt: Attempt, ports: NodePorts): Promise<NodeResult> {
  refuseUnapproved(attempt);
  const { reserves } = attempt.spec;
  if (reserves === undefined) return inPlace(attempt, undefined, ports);
  const hold = await attempt.hold(reserves);
  try {
    return await inPlace(attempt, hold, ports);
  } catch (error) {
    throw hold.lost.aborted ? lostHold(hold.lost) : error;
  } finally {
    await hold.end();
  }
}

function inPlace(attempt: Attempt, hold: Hold | undefined, ports: NodePorts): Promise<NodeResult> {
  const { session, spec, context } = attempt;
  const { run: argv } = spec;
  return ports.pool.submit({
    group: session,
    kind: roleOf(spec),
    lane: spec.priority,
    signal: hold === undefined ? context.signal : AbortSignal.any([context.signal, hold.lost]),
    run: (signal) =>
      argv === undefined ? ask(attempt, signal, ports) : runCommand(attempt, argv, { signal, env: hold?.env }, ports),
  });
}

/** What it did without them may be somebody else's by now: it is stopped, and begins anew if it is retried. */
function lostHold({ reason }: AbortSignal): NodeFailure {
  const message = `it was stopped, because it does not hold its paths any more: ${(reason as Error).message}`;
  return new NodeFailure({ class: "transient", message }, { cause: reason });
}

type Argv = readonly [string, ...string[]];
type ProcessTerms = { readonly signal: AbortSignal; readonly env: Readonly<Record<string, string>> | undefined };

async function runCommand(attempt: Attempt, argv: Argv, terms: ProcessTerms, ports: NodePorts): Promise<NodeResult> {
  const { dag, node, context } = attempt;
  const named = { dag, node, attempt: context.attempt };
  const files = await ports.files?.open(named, nodeInput(context, commandInputLimit));
  try {
    const result = await runProcess(attempt, argv, { ...terms, env: { ...terms.env, ...files?.env } }, ports);
    return { ...result, ...ports.clean(await files?.output()) };
  } finally {
    await files?.close();
  }
}

async function runProcess(
  attempt: Attempt,
  argv: Argv,
  { signal, env }: ProcessTerms,
  { commands, clean }: NodePorts,
): Promise<NodeResult> {
  const { dag, node, spec, options, context } = attempt;
  const cwd = await folderOf(spec, options);
  const timeoutMs = spec.timeoutMs ?? options.policy.timeoutMs;
  const result = await attempt.recorded((onStarted) =>
    commands.run({
      argv,
      cwd,
      env: {
        ...options.environment,
        ...spec.env,
        ...env,
        SYLK_DAG_RUN: dag,
        SYLK_DAG_NODE: node,
        SYLK_DAG_ATTEMPT: String(context.attempt),
      },
      timeoutMs,
      signal,
      onStarted,
    }),
  );
  const output = clean(result.output).slice(-outputLimit);
  attempt.onOutput(output);
  if (result.end === "exited" && result.exitCode === 0) return { exitCode: 0, text: output.slice(-resultLimit) };
  throw new NodeFailure(failureOf(result, output, { argv, timeoutMs }));
}

function failureOf(
  { end, exitCode }: CommandResult,
  output: string,
  { argv, timeoutMs }: { readonly argv: readonly string[]; readonly timeoutMs: number },
): { readonly class: ErrorClass; readonly message: string } {
  if (end === "timed-out") return { class: "timeout", message: `it took longer than ${timeoutMs} ms` };
  if (end === "not-found")
    return {
      class: "permanent",
      message: `there is no program ${JSON.stringify(argv[0])} to run; is it installed and in PATH?`,
    };
  if (end !== "exited") return { class: "transient", message: end === "aborted" ? "it was stopped" : "it was killed" };
  const last = output.trimEnd().split("\n").at(-1)?.slice(0, 300) ?? "";
  return { class: "transient", message: `exit code ${exitCode}${last === "" ? "" : `: ${last}`}` };
}

/** After links are resolved: a folder that leads out of the repository is none of ours. */
async function folderOf({ cwd }: NodeSpec, { tree }: DagOptions): Promise<string> {
  if (cwd === undefined) return tree;
  try {
    const [root, folder] = [await realpath(tree), await realpath(join(tree, cwd))];
    const inside = relative(root, folder);
    if (inside === ".." || inside.startsWith("../")) throw new Error("it leads out of the repository");
    return folder;
  } catch (cause) {
    const message = `it cannot run in ${JSON.stringify(cwd)}: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new NodeFailure({ class: "user-fixable", message }, { cause });
  }
}

async function ask(attempt: Attempt, signal: AbortSignal, { prompts }: NodePorts): Promise<NodeResult> {
  const { spec, options, context } = attempt;
  try {
    const { text, model, label } = await attempt.recorded((onStarted) =>
      prompts.answer({
        role: roleOf(spec),
        prompt: withInput(spec.prompt ?? "", nodeInput(context, promptInputLimit)),
        provider: options.provider,
        rehearse: options.rehearse,
        timeoutMs: spec.timeoutMs ?? options.policy.timeoutMs,
        signal,
        onStarted,
      }),
    );
    attempt.onOutput(text.slice(-outputLimit));
    return { text: text.slice(-resultLimit), model, ...(label === undefined ? {} : { label }) };
  } catch (error) {
    throw asNodeFailure(error);
  }
}

const classes: Readonly<Record<ModelFailureKind, ErrorClass>> = {
  transient: "transient",
  "rate-limit": "rate-limit",
  "provider-degraded": "provider-degraded",
  "user-fixable": "user-fixable",
  permanent: "permanent",
  aborted: "transient",
};

function asNodeFailure(error: unknown): unknown {
  if (error instanceof ModelFailure) {
    const { kind, message, retryAfterMs } = error;
    return new NodeFailure(
      { class: classes[kind], message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
      { cause: error },
    );
  }
  if (error instanceof DomainError)
    return new NodeFailure({ class: "user-fixable", message: error.message }, { cause: error });
  return error;
}
