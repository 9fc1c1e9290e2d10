import { expect, it } from "vitest";
import type { DomainError } from "../../contract/index.ts";
import { type AgentCall, scratchPorts, type ScratchPorts } from "../testkit.ts";
import { guardWrite } from "./guard-write.ts";
import { judgeGitCommands, judgeRemovedGit } from "./judge-git-commands.ts";
import type { GuardPolicy, GuardPorts } from "./ports.ts";
import { asked, guardPorts } from "./testkit.ts";
import type { Touched } from "./tree-git.ts";

type Terms = {
  readonly touched?: Touched;
  readonly changed?: readonly string[];
  readonly policy?: GuardPolicy;
  readonly readCommand?: GuardPorts["readCommand"];
};

/** Heron holds src/a.ts; otter asks. */
async function open(
  ports: ScratchPorts,
  { touched = { paths: [] }, changed = [], policy = "deny", readCommand }: Terms = {},
) {
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const questions: string[] = [];
  const all = guardPorts(ports, {
    policyFor: async () => policy,
    treeGit: {
      async touchedBy({ args }) {
        questions.push(args.join(" "));
        return args[0] === "reset" && touched.stands !== undefined ? { paths: ["src/a.ts"] } : touched;
      },
      changed: async () => changed,
    },
    lastWriters: async (_tree, paths) => new Map(paths.map((path) => [path, heron.caller.agent])),
    ...(readCommand === undefined ? {} : { readCommand }),
  });
  const judge = (call: AgentCall, args: string[], command?: string) => {
    const gitCommands = [{ folder: call.caller.tree, args }];
    return judgeGitCommands(
      { ...asked({ gitCommands }), ...(command === undefined ? {} : { command }) },
      call.caller,
      all,
    );
  };
  return { heron, otter, all, questions, judge };
}
const hold = (ports: GuardPorts, call: AgentCall, path = "src/a.ts") =>
  guardWrite(asked({ paths: [path] }), call, ports);
const refusalOf = (judged: Promise<unknown>) =>
  judged.then(
    () => expect.fail("it was not refused"),
    (error: unknown) => error as DomainError,
  );

it("does not ask git for a session that is alone in its tree", async () => {
  using ports = scratchPorts();
  const otter = await ports.caller("otter");
  const questions: string[] = [];
  const all = guardPorts(ports, {
    treeGit: {
      touchedBy: async ({ args }) => (questions.push(args[0]!), { paths: ["src/a.ts"] }),
      changed: async () => [],
    },
  });
  const gitCommands = [{ folder: otter.caller.tree, args: ["stash"] }];
  expect((await judgeGitCommands(asked({ gitCommands }), otter.caller, all)).atStake).toEqual([]);
  expect(questions).toEqual([]);
});

it("refuses a command that would change a held file, with the file, its holder and the way out", async () => {
  using ports = scratchPorts();
  const { all, heron, otter, judge } = await open(ports, { touched: { paths: ["src/a.ts", "src/b.ts"] } });
  await hold(all, heron);
  const refusal = await refusalOf(judge(otter, ["reset", "--hard"]));
  expect(refusal).toMatchObject({ code: "write.erases", details: { command: "git reset --hard", count: 1 } });
  expect(refusal.message).toContain('"src/a.ts" (held by heron)');
  expect(refusal.message).toContain("git stash push -- <path>");
});

it("refuses a command of which git does not say in time what it changes, and says so", async () => {
  using ports = scratchPorts();
  const late: Touched = { paths: [], unknown: "git took too long to answer", isLate: true };
  const { all, heron, otter, judge } = await open(ports, { touched: late });
  expect((await judge(otter, ["reset", "--hard"])).unknown).toEqual(["git reset: git took too long to answer"]);
  await hold(all, heron);
  const { code, message } = await refusalOf(judge(otter, ["reset", "--hard"]));
  expect(code).toBe("write.erases");
  expect(message).toContain(
    'git did not say in time what "git reset --hard" would change. Run it again; it may change a file that other agents work on: "src/a.ts" (held by heron)',
  );
});

it("refuses one that takes a folder of a held file, and uncommitted lines of a live agent", async () => {
  using ports = scratchPorts();
  const { all, heron, otter, judge } = await open(ports, { touched: { paths: ["src/"] }, changed: ["lib/c.ts"] });
  await hold(all, heron);
  expect(await refusalOf(judge(otter, ["clean", "-fd"]))).toMatchObject({ code: "write.erases" });
  const second = await open(ports, { touched: { paths: ["lib/c.ts"] }, changed: ["lib/c.ts"] });
  expect((await refusalOf(second.judge(otter, ["stash"]))).message).toContain(
    '"lib/c.ts" (uncommitted changes of heron)',
  );
});

it("lets a command pass that touches nothing of others, and their own command", async () => {
  using ports = scratchPorts();
  const { all, heron, otter, judge } = await open(ports, { touched: { paths: ["src/b.ts"] } });
  await hold(all, heron);
  expect(await judge(otter, ["stash"])).toMatchObject({ atStake: [], unknown: [] });
  const own = await open(ports, { touched: { paths: ["src/a.ts"] } });
  expect(await own.judge(heron, ["checkout", "src/a.ts"])).toMatchObject({ atStake: [] });
});

it("counts what an earlier part of the command line adds or commits", async () => {
  using ports = scratchPorts();
  const { all, heron, otter, judge } = await open(ports, { changed: ["src/a.ts"] });
  await hold(all, heron);
  await expect(judge(otter, ["switch", "main"], "git switch main")).resolves.toMatchObject({ atStake: [] });
  const line = "git switch -c tmp && git commit -am wip && git switch main";
  expect(await refusalOf(judge(otter, ["switch", "main"], line))).toMatchObject({ code: "write.erases" });
  expect(await refusalOf(judge(otter, ["stash"], "git add . && git stash"))).toMatchObject({ code: "write.erases" });
});

it("remembers what git cannot say, and only warns where the policy says so", async () => {
  using ports = scratchPorts();
  const { all, heron, otter, judge } = await open(ports, {
    touched: { paths: [], unknown: "the remote may have more" },
  });
  await hold(all, heron);
  expect((await judge(otter, ["pull"])).unknown).toEqual(["git pull: the remote may have more"]);
  const warned = await open(ports, { touched: { paths: ["src/a.ts"] }, policy: "warn" });
  const { warnings, atStake } = await warned.judge(otter, ["stash"]);
  expect(warnings).toEqual([expect.stringContaining("would change a file that other agents work on")]);
  expect(atStake).toMatchObject([{ path: "src/a.ts" }]);
});

it("reads the command that an alias stands for in its place, and ends where aliases name each other", async () => {
  using ports = scratchPorts();
  const stands = { command: "git reset --hard", folder: "/" };
  const { all, heron, otter, judge, questions } = await open(ports, {
    touched: { paths: [], stands },
    readCommand: (_command, folder) => ({
      paths: ["x.ts"],
      patterns: [],
      unknown: [],
      programs: [],
      gitCommands: [{ folder: folder === "/" ? otterTree : folder, args: ["reset", "--hard"] }],
    }),
  });
  const otterTree = otter.caller.tree;
  await hold(all, heron);
  expect(await refusalOf(judge(otter, ["undo"]))).toMatchObject({ code: "write.erases" });
  expect(questions).toEqual(["undo", "reset --hard"]);
  const circle = await open(ports, {
    touched: { paths: [], stands },
    readCommand: () => ({
      paths: [],
      patterns: [],
      unknown: [],
      programs: [],
      gitCommands: [{ folder: otterTree, args: ["undo"] }],
    }),
  });
  expect((await circle.judge(otter, ["undo"])).unknown).toEqual(["git undo: too many aliases in each other"]);
  expect(circle.questions).toHaveLength(20);
});

it("refuses the removal of .git while others hold anything in the tree", async () => {
  using ports = scratchPorts();
  const { all, heron, otter } = await open(ports);
  const trees = new Set([otter.caller.tree]);
  expect(await judgeRemovedGit(trees, otter.caller, all)).toEqual({ atStake: [], warnings: [] });
  await hold(all, heron);
  expect(await refusalOf(judgeRemovedGit(trees, otter.caller, all))).toMatchObject({ code: "write.erases" });
});
