/**
 * Calls of every operation that the OpenAPI document names, made from its schemas: valid ones and spoilt ones.
 *
 *   document -> schema of an operation -> input, perhaps spoilt -> dispatch, or bytes over HTTP -> what must hold
 *
 * What must hold: success, or an error of the table with a status that the document declares; never a defect, never
 * silence; and a call that was refused, or only reads, changes nothing.
 */
import fc from "fast-check";
import { DomainError, isErrorCode, operations } from "../../src/contract/index.ts";
import { within } from "../flows/until.ts";
import { pairsOf, type Figures, newFigures, type Problem } from "./figures.ts";
import { type DocumentedOperation, operationsOf } from "./documented-operations.ts";
import type { FuzzWorld } from "./fuzz-world.ts";
import { knownTo } from "./known-things.ts";
import { spoilt } from "./spoilt-input.ts";
import { sendInput, wireTerms, type WireTerms } from "./wire-input.ts";
import { validInput } from "./valid-input.ts";

type Terms = { readonly cases: number; readonly seed: number; readonly onBatch?: (figures: Figures) => void };
type Case = {
  readonly operation: DocumentedOperation;
  readonly input: unknown;
  readonly by: "agent" | "user";
  readonly wire: WireTerms | undefined;
};

const batch = 500;
const patienceMs = 10_000;

export async function fuzzOperations(world: FuzzWorld, { cases, seed, onBatch }: Terms): Promise<Figures> {
  const figures = newFigures();
  const documented = operationsOf(world);
  for (let done = 0; done < cases; done += batch) {
    const numRuns = Math.min(batch, cases - done);
    await world.furnish(); // what calls may name is used up by calls
    for (const one of fc.sample(caseOf(documented, world), { numRuns, seed: seed + done }))
      await tryCase(world, one, figures);
    onBatch?.(figures);
  }
  return figures;
}

function caseOf(documented: readonly DocumentedOperation[], world: FuzzWorld): fc.Arbitrary<Case> {
  const wire = fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: wireTerms });
  const perOperation = documented.map((operation) => {
    const mayWait = "waitMs" in operations[operation.name].input.shape;
    const valid = validInput(operation.schema, knownTo(operation.name, world));
    return fc.record({
      operation: fc.constant(operation),
      input: fc.oneof(valid, spoilt(valid, operation.schema)),
      by: callersOf(operation),
      // A call over HTTP would wait as long as it likes.
      wire: mayWait ? fc.constant(undefined) : wire,
    });
  });
  return fc.oneof(...perOperation);
}

function callersOf({ name }: DocumentedOperation): fc.Arbitrary<Case["by"]> {
  const { actor } = operations[name];
  return actor === "anyone" ? fc.constantFrom("agent" as const, "user" as const) : fc.constant(actor);
}

async function tryCase(world: FuzzWorld, one: Case, figures: Figures): Promise<void> {
  const { operation, input, by, wire } = one;
  const before = await settledState(world);
  const outcome: Outcome = await within(`${operation.name} is answered`, answerOf(world, one), {
    withinMs: patienceMs,
  }).catch((error: unknown) => ({ ok: false, problem: asProblem(error) }));
  const isUnchanged = world.state() === before;
  const mayChange = (outcome.ok || outcome.isRecorded === true) && operations[operation.name].kind === "change";
  const problem = outcome.problem ?? (isUnchanged || mayChange ? undefined : ("changed" satisfies Problem["kind"]));
  pairsOf(figures, operation.name)[outcome.ok ? "accepted" : "refused"]++;
  figures.cases++;
  if (wire !== undefined) figures.overHttp++;
  if (problem !== undefined)
    figures.problems.push({
      kind: problem,
      where: operation.name,
      input: JSON.stringify({ input, by, wire })?.slice(0, 600),
    });
}

/** What an earlier call left to be written (a figure, an incident) is not this one's doing. */
async function settledState({ state, settleFiles }: FuzzWorld): Promise<string> {
  await settleFiles();
  for (let before = state(); ; before = state()) {
    for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve));
    if (state() === before) return before;
  }
}

type Outcome = {
  readonly ok: boolean;
  readonly problem?: Problem["kind"] | undefined;
  /** Refused, and yet on record. */
  readonly isRecorded?: boolean;
};

async function answerOf(world: FuzzWorld, { operation, input, by, wire }: Case): Promise<Outcome> {
  if (wire !== undefined) return overHttp(operation, await sendInput(world, { operation, input, by, wire }));
  const { output } = operations[operation.name];
  try {
    // As a surface hands it over: what JSON cannot say never gets here.
    const result = await world.dispatch(
      operation.name,
      JSON.parse(JSON.stringify(input) ?? "null"),
      world.callers[by],
      {
        signal: AbortSignal.abort(), // nobody waits in a line
      },
    );
    return output.safeParse(result).success ? { ok: true } : { ok: true, problem: "undeclared" };
  } catch (error) {
    if (!(error instanceof DomainError) || error.family === "bug") return { ok: false, problem: "defect" };
    const problem = operation.statuses.has(error.httpStatus) ? undefined : "undeclared";
    return { ok: false, problem, isRecorded: isTakenBack(operation.name, error) };
  }
}

/** A question reached its role and stands in the log of messages; its asker went away before the answer. */
function isTakenBack(name: string, { code, message }: DomainError): boolean {
  return name === "ask.send" && code === "role.unavailable" && message.endsWith("The question was taken back");
}

function overHttp({ statuses }: DocumentedOperation, { status, body }: { status: number; body: string }): Outcome {
  if (status === 200) return { ok: true };
  if (status >= 500 && status !== 503) return { ok: false, problem: "defect" };
  const { error } = JSON.parse(body) as { error?: { code?: string; message?: string } };
  if (!isErrorCode(error?.code ?? "") || !error?.message) return { ok: false, problem: "untyped" };
  // A path that is no longer the operation's is another route's, or nobody's.
  return { ok: false, problem: statuses.has(status) || error.code === "operation.unknown" ? undefined : "undeclared" };
}

function asProblem(error: unknown): Problem["kind"] {
  return error instanceof Error && error.message.startsWith("after ") ? "hang" : "crash";
}
