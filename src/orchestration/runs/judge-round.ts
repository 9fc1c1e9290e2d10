/**
 * Judges the checks of a round: accepts them, or turns their findings into corrections.
 *
 *   checks, findings, the last judgement -> accepted | rejected for good | rejected, with one more round of nodes
 */
import type { Check, Finding } from "../../contract/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import { succeedWith } from "../dag/index.ts";
import type { Attempt, RunNodeSpec } from "../graphs/index.ts";
import { fingerprint, planCorrection } from "../planning/index.ts";
import { isRejection } from "../quality/index.ts";
import { adding, nodesOfRound } from "./run-graph.ts";

/** The result of a check node. */
export type CheckResult = { readonly check: Check; readonly findings: readonly Finding[] };
export type Judgement = {
  readonly verdict: "accepted" | "rejected";
  /** Fingerprint of the findings. If two rounds have the same findings, another round would not help. */
  readonly fingerprint?: string;
};

const mostRounds = 3;

export async function judgeRound(
  { node, spec: { round, planRound = 0 }, context, begin }: Attempt<RunNodeSpec>,
  { ids }: { readonly ids: IdSource },
): Promise<unknown> {
  await begin();
  const given = [...context.parents.values()] as readonly (CheckResult | Judgement)[];
  const results = given.filter((result): result is CheckResult => "check" in result);
  const last = given.find((result): result is Judgement => "verdict" in result);
  if (!results.some(({ check }) => isRejection(check))) return { verdict: "accepted" } satisfies Judgement;
  const findings = results.flatMap((result) => result.findings);
  const judgement: Judgement = { verdict: "rejected", fingerprint: fingerprint(findings) };
  const isHopeless = round + 1 - planRound >= mostRounds || last?.fingerprint === judgement.fingerprint;
  if (findings.length === 0 || isHopeless) return judgement;
  const next = { round: round + 1, planRound, nodes: planCorrection(findings, ids), after: node, lastJudge: node };
  return succeedWith(judgement, adding(nodesOfRound(next, ids)));
}
