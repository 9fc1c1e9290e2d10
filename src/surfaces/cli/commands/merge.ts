/** `sylk merge`: a run by its id, or any finished branch by its name. One word for both. */
import { execFileSync } from "node:child_process";
import type { WrittenCommand } from "../command.ts";
import { merge as mergeBranch } from "./branches.ts";
import { merge as mergeRun } from "./runs.ts";

export const merge: WrittenCommand = {
  ...mergeRun,
  details: 'Takes a run, or the name of a branch, which is then merged as "sylk branch merge" does it.',
  async run(context) {
    const [named] = context.args;
    const isOfRun =
      typeof named !== "string" || !isBranch(named, context.cwd) || (await isRuns(named, context.connect));
    return (isOfRun ? mergeRun : mergeBranch).run(context);
  },
};

/** The branch of a run is a name of that run. */
async function isRuns(named: string, connect: Parameters<WrittenCommand["run"]>[0]["connect"]): Promise<boolean> {
  const { items } = await (await connect()).call("id.find", { text: named, kinds: ["run"] });
  return items.length > 0;
}

function isBranch(name: string, cwd: string): boolean {
  try {
    execFileSync("git", ["rev-parse", "--verify", "--quiet", `refs/heads/${name}`], { cwd, stdio: "ignore" });
    return true;
  } catch {
    return false; // no git, no repository, or no branch of this name: the run's own error says what to type
  }
}
