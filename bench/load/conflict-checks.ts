/**
 * The conflict check without a surface: the engine in this process asks for one path after the other; beside it the same
 * question answered by comparing with every live reservation in turn, compiled once and kept in memory.
 */
import { DomainError } from "../../src/contract/index.ts";
import { glob, literal, overlap } from "../../src/coordination/globs/index.ts";
import { readFleet } from "../store/fleet.ts";
import { openEngine } from "../store/open-engine.ts";
import { heldFile, heldFolder, isGlob } from "../store/prepare-reservations.ts";

type Plan = {
  readonly home: string;
  readonly fleet: string;
  readonly reservations: number;
  readonly warmUp: number;
  readonly measured: number;
  /** Of the scans, which take long. */
  readonly scans: number;
};
export type ConflictChecks = Readonly<Record<"free" | "taken" | "glob" | "refused" | "scan", readonly number[]>>;

export async function conflictChecks(plan: Plan): Promise<ConflictChecks> {
  const { reservations } = plan;
  const engine = await openEngine(plan.home);
  const caller = await engine.authenticate({ token: readFleet(plan.fleet).agents[0]!.token }, "agent");
  // A step that has no factor in common with their number goes through all of them.
  const nth = (index: number): number => (index * 7_919) % reservations;
  const file = (index: number): number => nth(index) - (isGlob(nth(index)) ? -1 : 0);
  const check = async (path: string, expected: string): Promise<void> => {
    const { items } = await engine.dispatch("reservation.check", { paths: [path] }, caller);
    if (items[0]?.state !== expected) throw new Error(`${path} is ${items[0]?.state}, not ${expected}`);
  };
  const result = {
    free: await timed(plan, (index) => check(`src/area${index % 50}/part${index % 1_000}/new.ts`, "free")),
    taken: await timed(plan, (index) => check(heldFile(file(index)), "taken")),
    glob: await timed(plan, (index) => check(`${heldFolder(Math.floor(nth(index) / 10) * 10)}/deep/er.md`, "taken")),
    refused: await timed(plan, async (index) => {
      const wanted = { paths: [heldFile(file(index))] };
      const code = await engine.dispatch("reservation.acquire", wanted, caller).then(
        () => "granted",
        (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
      );
      if (code !== "reservation.conflict") throw new Error(`a held path was answered with ${code}`);
    }),
    scan: await timed({ warmUp: 5, measured: plan.scans }, scanOf(reservations, file)),
  };
  await engine.close();
  return result;
}

function scanOf(reservations: number, file: (index: number) => number): (index: number) => Promise<void> {
  const held = Array.from({ length: reservations }, (_, index) =>
    isGlob(index) ? glob(`${heldFolder(index)}/**/*.md`) : literal(heldFile(index)),
  );
  return async (index) => {
    const wanted = literal(heldFile(file(index)));
    const found = held.filter((one) => overlap(one, wanted) !== undefined);
    if (found.length !== 1) throw new Error(`${found.length} reservations hold a path that one of them holds`);
  };
}

async function timed(
  { warmUp, measured }: Pick<Plan, "warmUp" | "measured">,
  act: (index: number) => Promise<void>,
): Promise<readonly number[]> {
  const latencies: number[] = [];
  for (let index = 0; index < warmUp + measured; index++) {
    const startedAt = performance.now();
    await act(index);
    latencies.push(performance.now() - startedAt);
  }
  return latencies.slice(warmUp);
}
