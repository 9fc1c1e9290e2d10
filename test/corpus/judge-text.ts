/**
 * The text column of the corpus alone, in this process: the parser, git's answers and the guard's rules. No command is run,
 * so a row's claim about the held file is taken as true. A half takes seconds; the whole campaign takes many minutes.
 */
import { join } from "node:path";
import { createGit, createTreeGit } from "../../src/adapters/git/index.ts";
import { writtenByShell } from "../../src/adapters/shell-writes/index.ts";
import { DomainError, type InputOf } from "../../src/contract/index.ts";
import { guardWrite } from "../../src/coordination/guard/guard-write.ts";
import { asked, guardPorts } from "../../src/coordination/guard/testkit.ts";
import { scratchPorts } from "../../src/coordination/testkit.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { openScratchHome } from "../flows/scratch-home.ts";
import type { CorpusCommand, TreeState } from "./corpus-command.ts";
import { commandIn, isInstalled } from "./corpus-shell.ts";
import type { Outcome } from "./run-corpus.ts";
import { heldFile, openShopTrees, writeLines } from "./shop-trees.ts";

export type TextJudge = AsyncDisposable & { run(row: CorpusCommand): Promise<Outcome> };

export function openTextJudge(): TextJudge {
  const home = openScratchHome();
  const clock = systemClock();
  const trees = openShopTrees(join(home.root, "trees"), home.env);
  const env = { ...home.env, PATH: `${trees.tools}:${home.env.PATH}` };
  const treeGit = createTreeGit(createGit(clock, env), () => clock.monotonic());
  const made = new Map<TreeState, Promise<string>>();
  const treeOf = (state: TreeState): Promise<string> => {
    const tree = made.get(state) ?? makeTree(state);
    made.set(state, tree);
    return tree;
  };
  async function makeTree(state: TreeState): Promise<string> {
    const tree = await trees.copy(state);
    writeLines(tree, state);
    return tree;
  }
  return {
    async run(row) {
      const missing = (row.needs ?? []).filter((program) => !isInstalled(program, env));
      if (missing.length > 0) return { row, notRun: `${missing.join(", ")} is not installed` };
      const tree = await treeOf(row.tree ?? "modified");
      // Fresh ports: what one row reserves must not refuse the next.
      using ports = scratchPorts();
      const [heron, otter] = [await ports.caller("heron", tree), await ports.caller("otter", tree)];
      const all = guardPorts(ports, {
        treeGit,
        readCommand: writtenByShell,
        lastWriters: async (_tree, paths) =>
          new Map(paths.filter((path) => path === heldFile).map((path) => [path, heron.caller.agent])),
      });
      await guardWrite(asked({ paths: [join(tree, heldFile)] }), heron, all);
      const command = commandIn(tree, row);
      const written = writtenByShell(command, tree);
      if (written === undefined) return { row, text: "silent" };
      try {
        await guardWrite(
          { ...asked(structuredClone(written) as Partial<InputOf<"guard.write">>), command },
          otter,
          all,
        );
        const noted = all.unguarded.inTree(tree).map(({ what }) => what);
        return noted.length === 0 ? { row, text: "silent" } : { row, text: "remembered", detail: noted.join("; ") };
      } catch (error) {
        if (error instanceof DomainError) return { row, text: "denied", detail: error.message };
        throw error;
      }
    },
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}
