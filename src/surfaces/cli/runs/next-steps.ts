/**
 * The commands that a person can type next, by the state of a run. A command that would be refused in that state is not
 * among them.
 */
import type { Run } from "../../../contract/index.ts";
import { plannedNodes } from "./render-run.ts";

export type NextStep = { readonly what: string; readonly command: string };

export function nextSteps(run: Run, { asksEvidence = false } = {}): readonly NextStep[] {
  const { id, status, outcome } = run;
  const step = (what: string, command: string): NextStep => ({ what, command: `sylk ${command}` });
  const [watch, cancel, discard] = [
    step("watch it", `run watch ${id}`),
    step("stop it", `run cancel ${id}`),
    step("discard it", `discard ${id}`),
  ];
  const feedback = step("change it", `run feedback ${id} "…"`);
  const diff = run.commit === undefined ? [] : [step("show it", `diff ${id}`)];
  const drop = run.workspace === undefined ? [] : [discard];
  if (outcome !== "open") return [];
  switch (status) {
    case "planning":
    case "running":
      return [watch, cancel];
    case "awaiting_approval":
      return [
        step("approve it", `approve ${id}`),
        ...(hasBegun(run) ? [] : [feedback]),
        step("reject it", `approve ${id} --reject`),
        cancel,
      ];
    case "paused":
    case "blocked":
      return [step("continue it", `run resume ${id}`), cancel];
    case "verified":
      return [...diff, step("merge it", `merge ${id}`), feedback, ...drop];
    case "unverified":
      return [
        ...(asksEvidence ? [step("accept its evidence", `approve ${id}`)] : []),
        ...diff,
        feedback,
        ...(run.commit === undefined ? [] : [step("merge it as it is", `merge ${id} --unverified`)]),
        ...drop,
      ];
    case "failed":
      return [...retries(run).map((node) => step("try again", `run retry ${id} ${node}`)), feedback, ...diff, ...drop];
    case "cancelled":
      // A rejected plan can be made anew; work that was cut off is tried again by its nodes.
      return [...diff, ...(run.nodes.some(({ state }) => state === "cancelled") ? [] : [feedback]), ...drop];
  }
}

/** A changed plan can wait while other work of it is under way. */
function hasBegun(run: Run): boolean {
  return plannedNodes(run).some(({ attempt }) => attempt > 0);
}

/** The first node that failed: what was skipped because of it is tried again with it. */
function retries({ nodes }: Run): readonly string[] {
  const failed = nodes.find(({ kind, state }) => state === "failed" && kind !== "approval");
  if (failed === undefined) return [];
  return [/^[\w ,.:-]+$/.test(failed.title) ? `"${failed.title}"` : failed.id];
}

export function stepLines(steps: readonly NextStep[]): readonly string[] {
  return steps.map(({ what, command }) => `  ${what}: ${command}`);
}

/** After Ctrl-C. */
export function leftRunningLines(run: Pick<Run, "id">): readonly string[] {
  const { id } = run;
  return [
    `${id} keeps running.`,
    ...stepLines([
      { what: "watch it", command: `sylk run watch ${id}` },
      { what: "stop it", command: `sylk run cancel ${id}` },
      { what: "undo it", command: `sylk run cancel ${id} && sylk discard ${id}` },
    ]),
  ];
}
