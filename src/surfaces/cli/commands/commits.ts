/** Commits on the command line: telling of one, and catching up with those of others. */
import { operationCommand } from "../operation-command.ts";
import { repositoryPath } from "../repository-path.ts";

export const announce = operationCommand("commit.announce", {
  words: "commit announce",
  example: 'sylk commit announce 4c2a1f0 src/api/orders.ts --subject "Rate-limit orders"',
  fields: ["commit", "paths"],
  adjust: ({ paths, ...rest }, { cwd }) => ({
    ...rest,
    paths: (paths as readonly string[]).map((path) => repositoryPath(path, cwd)),
  }),
  print: ({ told }, out) =>
    out.line(told.length === 0 ? "It concerns nobody else" : `Told ${told.map(({ name }) => name).join(", ")}`),
});

export const catchUp = operationCommand("commit.catch-up", {
  words: "commit catch-up",
  example: "sylk commit catch-up",
  print({ refresh, sync, waiting, nextInMs, batched }, out) {
    for (const path of refresh) out.line(`look again  ${path}`);
    if (sync) out.line("take over   what others committed");
    if (refresh.length === 0 && !sync && waiting === 0) out.line("Nothing to catch up with");
    if (nextInMs !== undefined) {
      const why = batched ? "; the project is busy, so in a batch" : "";
      out.line(`${waiting} more due in ${Math.ceil(nextInMs / 1_000)} s${why}`);
    }
  },
});
