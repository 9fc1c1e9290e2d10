/** Branches on the command line: bringing a finished one in, and taking over what is upstream. */
import { operationCommand } from "../operation-command.ts";
import { treeRoot } from "../repository-path.ts";
import { waitFlag, waitOf } from "../wait-flag.ts";
import type { Output } from "../output.ts";
import { counted } from "../wording.ts";

type Result = {
  readonly branch: string;
  readonly into: string;
  readonly commit: string;
  readonly paths: readonly string[];
  readonly told: readonly { readonly name: string }[];
};

export const merge = operationCommand("branch.merge", {
  details: 'Another word for "sylk merge <branch>".',
  fields: ["branch"],
  without: ["waitMs"],
  flags: waitFlag,
  adjust: (input, { cwd, flags }) => ({ tree: treeRoot(cwd), ...input, ...waitOf(flags) }),
  print: ({ state, ...result }, out) => printResult(state, result, out),
});

export const sync = operationCommand("branch.sync", {
  fields: ["from"],
  adjust: (input, { cwd }) => ({ tree: treeRoot(cwd), ...input }),
  print({ state, nextInMs = 0, batched, ...result }, out) {
    if (state !== "later") return printResult(state, result, out);
    const why = batched ? "; the project commits often, so commits are batched" : "";
    out.line(`Queued: ${result.branch} merges into ${result.into} in ${Math.ceil(nextInMs / 1_000)} s${why}`);
  },
});

function printResult(state: string, { branch, into, commit, paths, told }: Result, out: Output): void {
  if (state === "up-to-date") return out.line(`${into} already contains ${branch}`);
  out.line(`${commit.slice(0, 10)}  ${branch} into ${into}  ${counted(paths.length, "file")}`);
  for (const path of paths) out.line(`  ${path}`);
  if (told.length > 0) out.line(`Told ${told.map(({ name }) => name).join(", ")}`);
}
