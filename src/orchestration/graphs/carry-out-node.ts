/**
 * Executes one attempt of a node, by its kind. Commands and prompts are executed here, each in its own process group.
 *
 *   approved? -> paths reserved? -> pool slot -> input (a file, or text in the prompt) -> process recorded
 *   -> command | model -> output stored -> result or NodeFailure
 *
 * The time limit begins when the process starts. Time spent waiting for a pool slot does not count.
 */
import { realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { type AgentId, DomainError, type GraphId, type SessionId } from "../../contract/index.ts";
import type { Pool } from "../../platform/pool/index.ts";
import { type DispatchContext, type ErrorClass, NodeFailure } from "../dag/index.ts";
import type { CommandPort, CommandResult, ProcessIdentity, PromptPort, WrapCommand } from "../executors/index.ts";
import { ModelFailure, type ModelFailureKind } from "../models/index.ts";
import { kindOf, roleOf } from "./graph.ts";
import type { Hold } from "./keep-hold.ts";
import { refuseUnapproved } from "./node-approval.ts";
import type { NodeFiles } from "./node-files.ts";
import { nodeInput, type NodeResult, withInput } from "./node-input.ts";
import type { Reserves } from "./path-reservations.ts";
import type { GraphOptions, NodeKind, NodeSpec, RunNodeSpec, WrittenSpec } from "./store.ts";

export type NodePorts = {
  readonly pool: Pick<Pool, "submit">;
  readonly commands: CommandPort;
  readonly prompts: PromptPort;
  /** For a command that an agent wrote: how to start it so that the kernel keeps files of other agents read-only. */
  readonly wrap?: WrapCommand | undefined;
  /** Returns a copy without secrets. */
  readonly clean: <T>(value: T) => T;
  /** Without these files, commands get no input and return no context or artifacts. */
  readonly files?: NodeFiles | undefined;
};

export type Attempt<Spec = NodeSpec> = {
  readonly dag: GraphId;
  readonly session: SessionId;
  readonly node: string;
  readonly spec: Spec;
  readonly options: GraphOptions;
  readonly context: DispatchContext;
  /** Throws Blocked when another agent holds one of the paths. */
  readonly hold: (wanted: Reserves) => Promise<Hold>;
  /** Records that the work begins now, and which agent does it, if any. */
  readonly begin: (agent?: string) => Promise<void>;
  /** Runs a function that starts a process. The process is recorded before it does anything, and removed when it ends. */
  readonly recorded: <T>(run: (onStarted: (process: ProcessIdentity) => Promise<void>) => Promise<T>) => Promise<T>;
  /** Receives the output, also of a failed attempt. */
  readonly onOutput: (output: string) => void;
};

const outputLimit = 64 * 1024;
const resultLimit = 8_000;
const commandInputLimit = 1024 * 1024;
const promptInputLimit = 100_000;

/** For each kind of node, the function that executes an attempt. */
export type Executors = {
  readonly [Kind in NodeKind]: (
    attempt: Attempt<Kind extends "command" | "prompt" ? WrittenSpec : RunNodeSpec>,
  ) => Promise<unknown>;
};

export function carryOutByKind(executors: Executors): (attempt: Attempt) => Promise<unknown> {
  return (attempt) => (executors[kindOf(attempt.spec)] as (given: Attempt) => Promise<unknown>)(attempt);
}

type WrittenAttempt = Attempt<WrittenSpec>;

export async function carryOutNode(attempt: WrittenAttempt, ports: NodePorts): Promise<NodeResult> {
  refuseUnapproved(attempt);
  const { reserves } = attempt.spec;
  if (reserves === undefined) return runInPool(attempt, undefined, ports);
  const hold = await attempt.hold(reserves);
  try {
    return await runInPool(attempt, hold, ports);
  } catch (error) {
    throw hold.lost.aborted ? lostHold(hold.lost) : error;
  } finally {
    await hold.end();
  }
}

function runInPool(attempt: WrittenAttempt, hold: Hold | undefined, ports: NodePorts): Promise<NodeResult> {
  const { session, spec, context } = attempt;
  const { run: argv } = spec;
  return ports.pool.submit({
    group: session,
    kind: roleOf(spec),
    lane: spec.priority,
    signal: hold === undefined ? context.signal : AbortSignal.any([context.signal, hold.lost]),
    run: (signal) =>
      argv === undefined
        ? askModel(attempt, signal, ports)
        : runCommand(attempt, argv, { signal, env: hold?.env, agent: hold?.agent ?? spec.by }, ports),
  });
}

/** Another agent may have changed the files since the hold ended. So the attempt stops, and a retry starts over. */
function lostHold({ reason }: AbortSignal): NodeFailure {
  const message = `it was stopped because it no longer holds its paths: ${(reason as Error).message}`;
  return new NodeFailure({ class: "transient", message }, { cause: reason });
}

type Argv = readonly [string, ...string[]];
type ProcessTerms = {
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string>> | undefined;
  /** A node with a hold is an agent of its own. */
  readonly agent: AgentId | undefined;
};

async function runCommand(
  attempt: WrittenAttempt,
  argv: Argv,
  terms: ProcessTerms,
  ports: NodePorts,
): Promise<NodeResult> {
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
  attempt: WrittenAttempt,
  argv: Argv,
  { signal, env, agent }: ProcessTerms,
  { commands, clean, wrap }: NodePorts,
): Promise<NodeResult> {
  const { dag, node, spec, options, context } = attempt;
  const cwd = await folderOf(spec, options);
  const timeoutMs = spec.timeoutMs ?? options.policy.timeoutMs;
  const isForAgent = spec.by !== undefined && agent !== undefined;
  const wrapped = isForAgent ? await wrap?.({ argv, cwd }, agent).catch(rethrowAsNodeFailure) : undefined;
  const result = await attempt.recorded((onStarted) =>
    commands.run({
      argv: wrapped?.argv ?? argv,
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
  const { class: kind, message } = failureOf(result, output, { argv, timeoutMs });
  const held = await wrapped?.explain(output);
  throw new NodeFailure({ class: kind, message: held === undefined ? message : `${message}. ${held}` });
}

function rethrowAsNodeFailure(error: unknown): never {
  throw asNodeFailure(error);
}

function failureOf(
  { end, exitCode }: CommandResult,
  output: string,
  { argv, timeoutMs }: { readonly argv: readonly string[]; readonly timeoutMs: number },
): { readonly class: ErrorClass; readonly message: string } {
  if (end === "timed-out") return { class: "timeout", message: `it timed out after ${timeoutMs} ms` };
  if (end === "not-found")
    return {
      class: "permanent",
      message: `command not found: ${JSON.stringify(argv[0])}; install it, or add it to PATH`,
    };
  if (end !== "exited") return { class: "transient", message: end === "aborted" ? "it was stopped" : "it was killed" };
  const last = output.trimEnd().split("\n").at(-1)?.slice(0, 300) ?? "";
  return { class: "transient", message: `exit code ${exitCode}${last === "" ? "" : `: ${last}`}` };
}

/** Resolves links first, and refuses a folder outside the repository. */
async function folderOf({ cwd }: WrittenSpec, { tree }: GraphOptions): Promise<string> {
  if (cwd === undefined) return tree;
  try {
    const [root, folder] = [await realpath(tree), await realpath(join(tree, cwd))];
    const inside = relative(root, folder);
    if (inside === ".." || inside.startsWith("../")) throw new Error("the folder is outside the repository");
    return folder;
  } catch (cause) {
    const message = `it cannot run in ${JSON.stringify(cwd)}: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new NodeFailure({ class: "user-fixable", message }, { cause });
  }
}

async function askModel(attempt: WrittenAttempt, signal: AbortSignal, { prompts }: NodePorts): Promise<NodeResult> {
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

export function asNodeFailure(error: unknown): unknown {
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
