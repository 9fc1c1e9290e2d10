/** Commits on the command line: making one, telling of one, and catching up with those of others. */
import { resolve } from "node:path";
import { operationCommand } from "../operation-command.ts";
import { repositoryPath, treeRoot } from "../repository-path.ts";
import { counted } from "../wording.ts";

export const create = operationCommand("commit.create", {
  example: 'sylk commit -m "Rate-limit orders" src/api/orders.ts',
  details:
    "Commits only these files and folders, whatever others staged or changed in the same tree.\nSYLK_FENCING_TOKEN counts like --fencing-token.\nWrite a file named like a subcommand with its folder: ./announce",
  fields: ["paths"],
  optional: ["paths"],
  short: { message: "m" },
  adjust: ({ paths = [], ...rest }, { cwd, env }) => {
    const tree = treeRoot(cwd);
    const proof = env.SYLK_FENCING_TOKEN ? { fencingToken: Number(env.SYLK_FENCING_TOKEN) || 0 } : {};
    const named = (paths as readonly string[]).map((path) =>
      isTree(path, cwd, tree) ? "." : repositoryPath(path, cwd),
    );
    return { waitMs: 300_000, tree, ...proof, ...rest, ...(named.length === 0 ? {} : { paths: named }) };
  },
  print({ commit, branch, paths, told, warnings }, out) {
    for (const warning of warnings) out.note(warning);
    const files = counted(paths.length, "file");
    out.line(
      commit === undefined ? `Would commit ${files} on ${branch}:` : `${commit.slice(0, 10)}  ${branch}  ${files}`,
    );
    for (const path of paths) out.line(`  ${path}`);
    if (told.length > 0) out.line(`Told ${told.map(({ name }) => name).join(", ")}`);
  },
});

function isTree(path: string, cwd: string, tree: string): boolean {
  return resolve(cwd, path) === tree;
}

export const announce = operationCommand("commit.announce", {
  fields: ["commit", "paths"],
  adjust: ({ paths, ...rest }, { cwd }) => ({
    ...rest,
    paths: (paths as readonly string[]).map((path) => repositoryPath(path, cwd)),
  }),
  print({ told, inMs }, out) {
    if (inMs !== undefined)
      out.line(`They are told in ${Math.ceil(inMs / 1_000)} s, because you have just resolved a conflict`);
    else out.line(told.length === 0 ? "No other agent is affected" : `Told ${told.map(({ name }) => name).join(", ")}`);
  },
});

export const catchUp = operationCommand("commit.catch-up", {
  print({ refresh, sync, waiting, nextInMs, batched }, out) {
    for (const path of refresh) out.line(`read again  ${path}`);
    if (sync) out.line("update      to the commits of others");
    if (refresh.length === 0 && !sync && waiting === 0) out.line("You are up to date");
    if (nextInMs !== undefined) {
      const why = batched ? "; the project commits often, so commits are batched" : "";
      out.line(`${waiting} more due in ${Math.ceil(nextInMs / 1_000)} s${why}`);
    }
  },
});
