/**
 * For every operation: a call that succeeds, and one for each error the operation declares. A call gets a fresh thing to
 * work on each time it is prepared, so that every way in finds the same situation.
 *
 * The table is a mapped type: an operation without a row does not compile.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
  InboxItem,
  DagId,
  ErrorCode,
  FindingId,
  IncidentId,
  MessageId,
  OperationName,
  ReservationId,
  RunId,
  SessionId,
  WorkItem,
  WorkItemId,
} from "../../src/contract/index.ts";
import { blockedTree, changed, detachedTree, emptiedTree, stopByHook, tornTree } from "./commit-situations.ts";
import { cancelRun, provider, sampleScenario, startRun, waitingApproval } from "./rehearsed-runs.ts";
import type { ScratchAgent, ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";
import type { Sender, WayIn } from "./ways-in.ts";

export type AgreementWorld = {
  readonly daemon: ScratchDaemon;
  readonly heron: ScratchAgent;
  readonly otter: ScratchAgent;
  /** Holds as many claims as it may. */
  readonly busy: ScratchAgent;
  /** Of another project. */
  readonly crow: ScratchAgent;
  readonly ended: ScratchAgent;
  readonly cancelledRun: RunId;
  readonly discardedRun: RunId;
  readonly rejected: InboxItem;
  /** A folder that is no repository. */
  readonly bareFolder: string;
  /** First cursor the log can still be read from. */
  readonly oldestCursor: number;
};
export type PreparedCall = { readonly input: Readonly<Record<string, unknown>>; readonly sender: Sender };
export type Prepare = (world: AgreementWorld) => Promise<PreparedCall> | PreparedCall;
/** Where a command does more than its operation, or a situation costs seconds, not every way is asked. */
export type Case = Prepare | { readonly ways: readonly WayIn["name"][]; readonly prepare: Prepare } | NotAsked;
type NotAsked = { readonly notAsked: string };
type Cases = { readonly ok: Case } & Partial<Record<ErrorCode, Case>>;

let fresh = 0;
const number = (): number => ++fresh;
const user: Sender = {};
const by = ({ token }: ScratchAgent): Sender => ({ token });
const nobody = "01jd8q3m7k4x9t2v5b8n1c";
const allButCommand: readonly WayIn["name"][] = [
  "HTTP on TCP",
  "HTTP on unix",
  "client on TCP",
  "client on unix",
  "MCP on HTTP",
  "MCP",
];
const allButMcp: readonly WayIn["name"][] = ["HTTP on TCP", "HTTP on unix", "client on TCP", "client on unix", "CLI"];
/** Each of them starts a run. */
const some: readonly WayIn["name"][] = ["HTTP on TCP", "CLI"];
/** Eight operations on a DAG run refuse alike: asked without a process for each; "dag show" is asked as a command too. */
const quickWays: readonly WayIn["name"][] = ["HTTP on TCP", "client on unix", "MCP on HTTP"];
const needsRunUnderWay = { notAsked: "needs a run that is under way at that very moment; the flows of runs have one" };
const needsHeldMerge = { notAsked: "needs a branch whose files are held, for every way; the flow of merging has one" };
const needsVerifiedRun = { notAsked: "needs a verified run for every way; the flows of runs merge one" };

/** Work that a test adds to a plan. */
const higher = { tokens: 400_000, reason: "worth it" };
const docs = { title: "The docs name the price", prompt: "Write docs/price.md" };
const needsRestingSession = { notAsked: "needs a run in a session that rests; the flow of sessions has one" };
const sessionErrors = {
  "input.invalid": ({ heron }: AgreementWorld) => ({ input: { id: "nope" }, sender: by(heron) }),
  "session.not-found": ({ heron }: AgreementWorld) => ({ input: { id: `ses_${nobody}` }, sender: by(heron) }),
};
const brokenSnapshot = { notAsked: "needs a store that was changed on the disk; the tests of sessions change one" };
const restErrors = { "session.snapshot-damaged": brokenSnapshot, "session.snapshot-newer": brokenSnapshot };

/** A folder with a virtual environment that has ruff. */
function pythonPlace({ root }: Pick<AgreementWorld["daemon"], "root">): string {
  const folder = join(root, "python-place");
  const programs = join(folder, ".venv", "bin");
  mkdirSync(programs, { recursive: true });
  writeFileSync(join(folder, ".venv", "pyvenv.cfg"), "");
  writeFileSync(join(folder, "requirements.txt"), "ruff\n");
  for (const name of ["python", "ruff"])
    writeFileSync(join(programs, name), "#!/bin/sh\necho 1.2.3\n", { mode: 0o755 });
  return folder;
}
const installErrors = {
  "input.invalid": { ways: allButCommand, prepare: () => ({ input: { tool: "" }, sender: user }) },
  "caller.denied": ({ heron, crow }: AgreementWorld) => ({
    input: { tool: "ruff", path: crow.agent.tree },
    sender: by(heron),
  }),
  "project.not-found": () => ({ input: { tool: "ruff", path: "/nowhere/at/all" }, sender: user }),
  "tool.not-found": ({ daemon }: AgreementWorld) => ({
    input: { tool: "no-such-tool", path: pythonPlace(daemon) },
    sender: user,
  }),
  "tool.not-installable": ({ daemon }: AgreementWorld) => ({
    input: { tool: "shellcheck", path: pythonPlace(daemon) },
    sender: user,
  }),
  "tool.install-failed": { notAsked: "needs a project where installing is on; the flow of tools has one" },
};

export const agreementCases: Readonly<Record<OperationName, Cases>> = {
  "agent.register": {
    ok: ({ daemon }) => register(`fresh-${number()}`, daemon.repository),
    "input.invalid": ({ daemon }) => register("Not A Name", daemon.repository),
    "project.not-found": () => register(`fresh-${number()}`, "/nowhere/at/all"),
    "agent.not-found": ({ daemon }) => register(`fresh-${number()}`, daemon.repository, `agt_${nobody}`),
    "agent.ended": ({ daemon, ended }) => register(`fresh-${number()}`, daemon.repository, ended.agent.id),
    "caller.denied": ({ daemon, crow }) => register(`fresh-${number()}`, daemon.repository, crow.agent.id),
  },
  "agent.list": {
    ok: async ({ heron }) => {
      const input = { status: "active" as const, limit: 50 };
      // A git that is slow leaves files of a tree out until it has answered once.
      const isKnown = async () => (await heron.client.call("agent.list", input)).items[0]?.uncommitted !== undefined;
      await until("uncommitted files are known", isKnown);
      return { input, sender: by(heron) };
    },
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
    "caller.denied": ({ heron }) => ({ input: { all: true }, sender: by(heron) }),
  },
  "id.find": {
    ok: ({ heron, otter }) => ({ input: { text: otter.agent.name, kinds: ["agt"] }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { text: "x", kinds: ["nope"] }, sender: by(heron) }),
  },
  "research.add": {
    // To a model titles and places are fenced; the flow of research looks at that.
    ok: { ways: allButMcp, prepare: (world) => addedNotes(world) },
    "input.invalid": (world) => addedNotes(world, { pages: 0 }),
    "caller.denied": (world) => addedNotes(world, { location: world.crow.agent.tree }),
    "source.unreadable": (world) => addedNotes(world, { location: join(world.heron.agent.tree, "nothing-there.md") }),
    "agent.unknown-project": { notAsked: "every way in of this test names a project" },
    "source.unreachable": { notAsked: "needs a server; the flow of research over the network has one" },
    "workspace.unavailable": { notAsked: "needs a clone that fails; the flow of research over the network has one" },
  },
  "research.sources": {
    ok: { ways: allButMcp, prepare: ({ heron }) => ({ input: { limit: 1 }, sender: by(heron) }) },
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
  },
  "research.remove": {
    ok: {
      ways: allButMcp,
      prepare: async (world) => {
        const { input } = addedNotes(world);
        const { source } = await world.heron.client.call("research.add", input as { location: string });
        return { input: { id: source.id }, sender: by(world.heron) };
      },
    },
    "input.invalid": ({ heron }) => ({ input: { id: "src_1" }, sender: by(heron) }),
    "source.not-found": ({ heron }) => ({ input: { id: `src_${nobody}` }, sender: by(heron) }),
    "agent.unknown-project": { notAsked: "every way in of this test names a project" },
  },
  "research.ask": {
    ok: {
      ways: allButMcp,
      prepare: ({ heron }) => ({ input: { question: "what is no source about?" }, sender: by(heron) }),
    },
    "input.invalid": ({ heron }) => ({ input: { question: "why?", maxSources: 0 }, sender: by(heron) }),
    ...researchModelErrors("question"),
  },
  "research.check": {
    ok: { ways: allButMcp, prepare: ({ heron }) => ({ input: { claim: "Herons fly by night" }, sender: by(heron) }) },
    "input.invalid": ({ heron }) => ({ input: { claim: "" }, sender: by(heron) }),
    "agent.unknown-project": { notAsked: "every way in of this test names a project" },
  },
  "research.examples": {
    ok: ({ heron }) => ({ input: { topic: "what no source shows" }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { topic: "x", limit: 0 }, sender: by(heron) }),
    "agent.unknown-project": { notAsked: "every way in of this test names a project" },
  },
  "research.paper": {
    ok: { ways: allButMcp, prepare: ({ heron }) => ({ input: { topic: "what no source says" }, sender: by(heron) }) },
    "input.invalid": ({ heron }) => ({ input: { topic: "x".repeat(1_001) }, sender: by(heron) }),
    ...researchModelErrors("topic"),
  },
  "research.compare": {
    ok: { ways: allButMcp, prepare: ({ heron }) => ({ input: { topic: "herons vs crows" }, sender: by(heron) }) },
    "input.invalid": ({ heron }) => ({ input: { topic: "herons" }, sender: by(heron) }),
    ...researchModelErrors("topic"),
  },
  "code.find": codeCases({ text: "total" }, { text: "" }),
  "code.search": codeCases({ text: "total" }, { text: "(", regex: true }),
  "code.symbols": codeCases({ name: "total" }, { name: "total", limit: 0 }),
  "code.usages": codeCases({ symbol: "total" }, { symbol: "" }),
  "code.dependents": codeCases({ module: "node:fs" }, { module: "" }),
  "code.outline": codeCases({ path: "src/checkout.ts" }, { path: "src/nothing.ts" }),
  "code.files": codeCases({ pattern: "src/**" }, { pattern: "src/[" }),
  "code.map": codeCases({ tokens: 200 }, { tokens: 1 }),
  "code.drift": codeCases({ since: "HEAD" }, { since: "no-such-revision" }),
  "position.hover": codeCases(
    { path: "src/checkout.ts", line: 1, column: 1, provider: "syntax" },
    { path: "src/nothing.ts", line: 1, column: 1 },
  ),
  "position.definition": codeCases(
    { path: "src/checkout.ts", line: 1, column: 1, provider: "syntax" },
    { path: "src/checkout.ts", line: 1, column: 1, limit: 0 },
  ),
  "position.references": codeCases(
    { path: "src/checkout.ts", line: 1, column: 1, provider: "syntax" },
    { path: "src/checkout.ts", line: 99_999, column: 1 },
  ),
  "position.diagnostics": {
    ...codeCases({ path: "README.md" }, { path: "src/nothing.ts" }),
    ok: { notAsked: "needs an installed language server; the flow of precise answers has one" },
    "code.unanswered": ({ heron }) => ({ input: { path: "README.md" }, sender: by(heron) }),
  },
  "language-server.list": { ok: ({ heron }) => ({ input: {}, sender: by(heron) }) },
  "scip.import": {
    ...codeCases({ file: "index.scip" }, { file: "" }),
    ok: { notAsked: "needs an index; the flow of precise answers has one" },
    "input.invalid": {
      ways: allButCommand, // the command names a file as it is typed in the current folder
      prepare: ({ heron }) => ({ input: { file: "" }, sender: by(heron) }),
    },
    "scip.refused": ({ heron }) => ({ input: { file: "README.md" }, sender: by(heron) }),
  },
  "scip.list": {
    ...codeCases({}, {}),
    "input.invalid": {
      ways: allButCommand, // the command always names a tree
      prepare: ({ heron }) => ({ input: { tree: "" }, sender: by(heron) }),
    },
  },
  "agent.get": {
    ok: ({ heron, otter }) => ({ input: { id: otter.agent.id }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { id: "no such agent" }, sender: by(heron) }),
    "agent.not-found": ({ heron }) => ({ input: { id: `agt_${nobody}` }, sender: by(heron) }),
    "caller.denied": ({ heron, crow }) => ({ input: { id: crow.agent.id }, sender: by(heron) }),
  },
  "agent.heartbeat": {
    ok: ({ heron }) => ({ input: { id: heron.agent.id }, sender: by(heron) }),
    "input.invalid": () => ({ input: { id: "no such agent" }, sender: user }),
    "agent.not-found": () => ({ input: { id: `agt_${nobody}` }, sender: user }),
    "agent.ended": ({ ended }) => ({ input: { id: ended.agent.id }, sender: user }),
    "caller.denied": ({ heron, otter }) => ({ input: { id: otter.agent.id }, sender: by(heron) }),
  },
  "agent.end": {
    ok: async ({ daemon }) => {
      const { agent, client } = await daemon.register(`fresh-${number()}`);
      await client.call("reservation.acquire", { paths: [`end/${number()}.ts`] });
      return { input: { id: agent.id }, sender: user };
    },
    "input.invalid": () => ({ input: { id: "" }, sender: user }),
    "agent.not-found": () => ({ input: { id: `agt_${nobody}` }, sender: user }),
    "caller.denied": ({ heron, otter }) => ({ input: { id: otter.agent.id }, sender: by(heron) }),
  },
  "agent.handoff": {
    ok: ({ heron, ended }) => ({ input: { id: ended.agent.id }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { id: "no such agent" }, sender: by(heron) }),
    "agent.not-found": ({ heron }) => ({ input: { id: `agt_${nobody}` }, sender: by(heron) }),
    "caller.denied": ({ heron, crow }) => ({ input: { id: crow.agent.id }, sender: by(heron) }),
  },
  "reservation.acquire": {
    ok: ({ heron }) => ({
      input: { paths: [`fresh/fresh-${number()}.ts`], reason: "tidy up", ttlMs: 60_000 },
      sender: by(heron),
    }),
    "input.invalid": ({ heron }) => ({ input: { paths: ["a.ts"], ttlMs: 5 }, sender: by(heron) }),
    "reservation.conflict": ({ heron }) => ({ input: { paths: ["held/by-otter.ts"] }, sender: by(heron) }),
    "reservation.limit": ({ otter }) => ({
      input: { paths: Array.from({ length: 41 }, (_, index) => `many/${index}.ts`) },
      sender: by(otter),
    }),
    "lease.lost": ({ heron }) => ({ input: { paths: ["fenced.ts"], fencingToken: 999_999 }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: { paths: ["a.ts"] }, sender: { actAs: ended.agent.id } }),
  },
  "reservation.stats": {
    ok: ({ heron }) => ({ input: { hours: 1, limit: 5 }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { hours: 0 }, sender: by(heron) }),
  },
  "commit.create": {
    ok: ({ daemon, heron }) => ({
      input: { message: "Add it", paths: [changed(daemon.repository, "to-commit.ts")], dryRun: true },
      sender: by(heron),
    }),
    "input.invalid": ({ heron }) => ({ input: { message: " ", paths: ["a.ts"] }, sender: by(heron) }),
    "project.not-found": ({ heron }) => ({
      input: { message: "Add it", paths: ["a.ts"], tree: "/nowhere/at/all" },
      sender: by(heron),
    }),
    "reservation.conflict": ({ daemon, heron }) => ({
      input: { message: "Add it", paths: [changed(daemon.repository, "held/by-otter.ts")] },
      sender: by(heron),
    }),
    "lease.lost": {
      ways: ["HTTP on TCP"],
      async prepare({ daemon, heron }) {
        const path = changed(daemon.repository, `lost/${number()}.ts`);
        return { input: { message: "Add it", paths: [path] }, sender: by(await loserOf(path, daemon, heron)) };
      },
    },
    "caller.denied": ({ heron, crow }) => ({
      input: { message: "Add it", paths: ["a.ts"], tree: crow.agent.tree },
      sender: by(heron),
    }),
    "agent.ended": ({ ended }) => ({
      input: { message: "Add it", paths: ["a.ts"] },
      sender: { actAs: ended.agent.id },
    }),
    "agent.not-found": ({ heron }) => ({ input: { message: "Add it", agent: "nobody-here" }, sender: by(heron) }),
    "workspace.unavailable": { notAsked: "needs a machine without git; the committer's own test has one" },
    "commit.nothing": ({ heron }) => ({ input: { message: "Add it", paths: ["README.md"] }, sender: by(heron) }),
    "commit.not-possible": ({ daemon, heron }) => {
      const tree = detachedTree(daemon);
      return { input: { message: "Add it", paths: [changed(tree, "new.ts")], tree }, sender: by(heron) };
    },
    "commit.reverts": ({ daemon, heron }) => ({
      input: { message: "Tidy up", paths: ["README.md"], tree: emptiedTree(daemon) },
      sender: by(heron),
    }),
    "commit.hook-refused": ({ crow }) => ({
      input: { message: "Add it", paths: [stopByHook(crow)], tree: crow.agent.tree },
      sender: by(crow),
    }),
  },
  "file.history": {
    ok: async ({ heron }) => ({ input: { path: await rewritten(heron) }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
    "agent.not-found": ({ heron }) => ({ input: { agent: "nobody-here" }, sender: by(heron) }),
    ...treeErrors({}),
  },
  "file.diff": {
    // A model gets the patch fenced.
    ok: {
      ways: allButMcp,
      prepare: async ({ heron }) => ({ input: { path: await rewritten(heron) }, sender: by(heron) }),
    },
    "input.invalid": ({ heron }) => ({ input: { path: "README.md", from: "nope" }, sender: by(heron) }),
    "agent.not-found": ({ heron }) => ({ input: { agent: "nobody-here" }, sender: by(heron) }),
    "file.not-kept": ({ heron }) => ({
      input: { path: "README.md", from: `ver_${nobody}` },
      sender: by(heron),
    }),
    ...treeErrors({ path: "a.ts" }),
  },
  "file.restore": {
    ok: async ({ heron }) => ({ input: { path: await rewritten(heron) }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { path: "a.ts", version: "nope" }, sender: by(heron) }),
    "file.not-kept": ({ heron }) => ({ input: { path: "README.md", version: `ver_${nobody}` }, sender: by(heron) }),
    "reservation.conflict": async ({ heron, otter }) => ({
      input: { path: await rewritten(otter) },
      sender: by(heron),
    }),
    "agent.ended": ({ ended }) => ({ input: { path: "a.ts" }, sender: { actAs: ended.agent.id } }),
    ...treeErrors({ path: "a.ts" }),
  },
  "file.undo": {
    ok: {
      ways: allButMcp,
      prepare: async ({ heron }) => ({ input: { paths: [await rewritten(heron)], agent: "heron" }, sender: by(heron) }),
    },
    "input.invalid": ({ heron }) => ({ input: {}, sender: by(heron) }),
    "agent.not-found": ({ heron }) => ({ input: { agent: "nobody-here" }, sender: by(heron) }),
    "file.not-kept": ({ heron }) => ({ input: { paths: ["never-written.ts"], agent: "heron" }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: { paths: ["a.ts"] }, sender: { actAs: ended.agent.id } }),
    ...treeErrors({ paths: ["a.ts"] }),
  },
  "commit.announce": {
    ok: ({ heron }) => ({
      input: { commit: "4c2a1f0", paths: ["held/by-otter.ts"], subject: "tidy up" },
      sender: by(heron),
    }),
    "input.invalid": ({ heron }) => ({ input: { commit: "no commit", paths: ["a.ts"] }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({
      input: { commit: "4c2a1f0", paths: ["a.ts"] },
      sender: { actAs: ended.agent.id },
    }),
  },
  "commit.catch-up": {
    ok: ({ crow }) => ({ input: {}, sender: by(crow) }),
    "input.invalid": {
      ways: allButCommand,
      prepare: ({ heron }) => ({ input: { nothing: "known" }, sender: by(heron) }),
    },
    "agent.ended": ({ ended }) => ({ input: {}, sender: { actAs: ended.agent.id } }),
  },
  "worktree.create": {
    ok: async ({ heron }) => {
      await heron.client.call("worktree.create", { name: "agreed" }); // made anew it says what is not part of it
      return { input: { name: "agreed" }, sender: by(heron) };
    },
    "input.invalid": ({ heron }) => ({ input: { name: "Not Allowed" }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: { name: "late" }, sender: { actAs: ended.agent.id } }),
    "workspace.unavailable": { notAsked: "needs a machine without git; the committer's own test has one" },
  },
  "worktree.list": {
    ok: ({ crow }) => ({ input: {}, sender: by(crow) }),
    "input.invalid": {
      ways: allButCommand,
      prepare: ({ heron }) => ({ input: { nothing: "known" }, sender: by(heron) }),
    },
    "workspace.unavailable": { notAsked: "needs a machine without git; the committer's own test has one" },
  },
  "worktree.remove": {
    ok: async ({ otter }) => {
      await otter.client.call("worktree.create", { name: "short" });
      return { input: { name: "short" }, sender: by(otter) };
    },
    "input.invalid": ({ heron }) => ({ input: { name: "" }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: { name: "late" }, sender: { actAs: ended.agent.id } }),
    "workspace.unavailable": { notAsked: "needs a machine without git; the committer's own test has one" },
    "worktree.not-found": ({ heron }) => ({ input: { name: "nobodys" }, sender: by(heron) }),
  },
  "index.open": {
    ok: async ({ heron }) => {
      await heron.client.call("index.open", {}); // every way finds the same one
      return { input: {}, sender: by(heron) };
    },
    "input.invalid": ({ heron }) => ({ input: { tree: "" }, sender: by(heron) }),
    "project.not-found": ({ heron }) => ({ input: { tree: "/nowhere/at/all" }, sender: by(heron) }),
    "caller.denied": { notAsked: "needs a second repository; that of guard.commit is the same check" },
    "agent.ended": ({ ended }) => ({ input: {}, sender: { actAs: ended.agent.id } }),
    "workspace.unavailable": { notAsked: "needs a machine without git; the committer's own test has one" },
    "commit.not-possible": { notAsked: "needs a tree amid a merge; commit.create asks for one" },
  },
  "index.close": {
    ok: async ({ otter }) => {
      await otter.client.call("index.open", {});
      return { input: {}, sender: by(otter) };
    },
    "input.invalid": {
      ways: allButCommand,
      prepare: ({ heron }) => ({ input: { nothing: "known" }, sender: by(heron) }),
    },
    "agent.ended": ({ ended }) => ({ input: {}, sender: { actAs: ended.agent.id } }),
  },
  "branch.merge": {
    ok: ({ heron }) => ({ input: { branch: "main" }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { branch: "nowhere-to-be-found" }, sender: by(heron) }),
    "project.not-found": ({ heron }) => ({ input: { branch: "main", tree: "/nowhere/at/all" }, sender: by(heron) }),
    "caller.denied": ({ heron, crow }) => ({ input: { branch: "main", tree: crow.agent.tree }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: { branch: "main" }, sender: { actAs: ended.agent.id } }),
    "workspace.unavailable": { notAsked: "needs a machine without git; the committer's own test has one" },
    "workspace.dirty": ({ daemon, heron }) => ({
      input: { branch: "blocked-other", tree: blockedTree(daemon) },
      sender: by(heron),
    }),
    "reservation.conflict": needsHeldMerge,
    "workspace.conflict": async ({ daemon, heron }) => {
      const input = { branch: "torn-other", tree: tornTree(daemon) };
      await heron.client.call("branch.merge", input).catch(() => {}); // from the second time on it is known
      return { input, sender: by(heron) };
    },
    "commit.not-possible": ({ daemon, heron }) => ({
      input: { branch: "main", tree: detachedTree(daemon) },
      sender: by(heron),
    }),
  },
  // Each time somebody else, since one agent is let through once a minute.
  "branch.sync": {
    ok: async ({ daemon }) => ({ input: { from: "main" }, sender: by(await daemon.register(`sync-${number()}`)) }),
    "input.invalid": ({ heron }) => ({ input: { from: "nowhere-to-be-found" }, sender: by(heron) }),
    "project.not-found": ({ heron }) => ({ input: { tree: "/nowhere/at/all" }, sender: by(heron) }),
    "caller.denied": ({ heron, crow }) => ({ input: { tree: crow.agent.tree }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: { from: "main" }, sender: { actAs: ended.agent.id } }),
    "workspace.unavailable": { notAsked: "needs a machine without git; the committer's own test has one" },
    "workspace.dirty": async ({ daemon }) => ({
      input: { from: "blocked-other", tree: blockedTree(daemon) },
      sender: by(await daemon.register(`sync-${number()}`)),
    }),
    "reservation.conflict": needsHeldMerge,
    "workspace.conflict": async ({ daemon, heron }) => {
      const tree = tornTree(daemon);
      await heron.client.call("branch.merge", { branch: "torn-other", tree }).catch(() => {});
      return { input: { from: "torn-other", tree }, sender: by(await daemon.register(`sync-${number()}`)) };
    },
    "commit.not-possible": ({ daemon, heron }) => ({
      input: { from: "main", tree: detachedTree(daemon) },
      sender: by(heron),
    }),
  },
  "reservation.check": {
    ok: ({ heron }) => ({ input: { paths: ["held/by-otter.ts", "nobody/has-it.ts"] }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { paths: ["a.ts"], fencingToken: 0 }, sender: by(heron) }),
    "lease.lost": ({ heron }) => ({ input: { paths: ["a.ts"], fencingToken: 999_999 }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: { paths: ["a.ts"] }, sender: { actAs: ended.agent.id } }),
  },
  "reservation.wait": {
    ok: async ({ otter, heron }) => {
      const id = await reservedBy(otter);
      await otter.client.call("reservation.release", { id });
      return { input: { id, waitMs: 1_000 }, sender: by(heron) };
    },
    "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
    "reservation.not-found": ({ heron }) => ({ input: { id: `rsv_${nobody}` }, sender: by(heron) }),
    "caller.denied": async ({ otter, crow }) => ({ input: { id: await reservedBy(otter) }, sender: by(crow) }),
  },
  "reservation.ask": {
    ok: async ({ heron, otter }) => ({
      input: { id: await reservedBy(otter), urgency: "urgent", reason: "the build is red" },
      sender: by(heron),
    }),
    "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
    "reservation.not-found": ({ heron }) => ({ input: { id: `rsv_${nobody}` }, sender: by(heron) }),
    "lease.lost": async ({ heron, otter }) => ({ input: { id: await releasedBy(otter) }, sender: by(heron) }),
    "caller.denied": async ({ otter }) => ({ input: { id: await reservedBy(otter) }, sender: by(otter) }),
    "agent.ended": async ({ otter, ended }) => ({
      input: { id: await reservedBy(otter) },
      sender: { actAs: ended.agent.id },
    }),
  },
  "reservation.answer": {
    ok: async ({ heron, otter }) => {
      const id = await reservedBy(otter);
      await heron.client.call("reservation.ask", { id });
      return { input: { id, decision: "defer", etaMs: 60_000 }, sender: by(otter) };
    },
    "input.invalid": async ({ otter }) => ({
      input: { id: await reservedBy(otter), decision: "perhaps" },
      sender: by(otter),
    }),
    "reservation.not-found": ({ otter }) => ({
      input: { id: `rsv_${nobody}`, decision: "acknowledge" },
      sender: by(otter),
    }),
    "lease.lost": async ({ otter }) => ({
      input: { id: await releasedBy(otter), decision: "acknowledge" },
      sender: by(otter),
    }),
    "caller.denied": async ({ heron, otter }) => ({
      input: { id: await reservedBy(otter), decision: "acknowledge" },
      sender: by(heron),
    }),
  },
  "reservation.force": {
    ok: async ({ heron, otter }) => {
      const id = await reservedBy(otter);
      await heron.client.call("reservation.ask", { id, urgency: "urgent" });
      return { input: { id }, sender: by(heron) };
    },
    "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
    "reservation.not-found": ({ heron }) => ({ input: { id: `rsv_${nobody}` }, sender: by(heron) }),
    "reservation.conflict": async ({ heron, otter }) => {
      const id = await reservedBy(otter);
      await heron.client.call("reservation.ask", { id });
      return { input: { id }, sender: by(heron) };
    },
    "lease.lost": async ({ heron, otter }) => ({ input: { id: await releasedBy(otter) }, sender: by(heron) }),
    "caller.denied": async ({ otter }) => ({ input: { id: await reservedBy(otter) }, sender: by(otter) }),
    "agent.ended": async ({ otter, ended }) => ({
      input: { id: await reservedBy(otter) },
      sender: { actAs: ended.agent.id },
    }),
  },
  "reservation.list": {
    ok: ({ heron }) => ({ input: { path: "held/by-otter.ts" }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 501 }, sender: by(heron) }),
  },
  "reservation.renew": reservationCases(),
  "reservation.release": reservationCases(),
  "guard.start": {
    ok: ({ crow }) => ({
      input: { sessionKey: "guarded", client: "claude-code", project: { path: crow.agent.tree } },
      sender: user,
    }),
    "input.invalid": ({ daemon }) => ({
      input: { sessionKey: "", client: "claude-code", project: { path: daemon.repository } },
      sender: user,
    }),
    "project.not-found": () => ({
      input: { sessionKey: "lost", client: "claude-code", project: { path: "/nowhere/at/all" } },
      sender: user,
    }),
  },
  "guard.write": {
    ok: ({ heron }) => ({ input: { paths: [`guarded/fresh-${number()}.ts`] }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { paths: [""] }, sender: by(heron) }),
    "reservation.conflict": ({ heron }) => ({ input: { paths: ["held/by-otter.ts"] }, sender: by(heron) }),
    "reservation.limit": ({ otter }) => ({
      input: { paths: Array.from({ length: 41 }, (_, index) => `many/${index}.ts`) },
      sender: by(otter),
    }),
    "path.not-holdable": ({ heron }) => ({ input: { paths: ["line\nbreak.ts"] }, sender: by(heron) }),
    "write.erases": ({ heron }) => ({ input: { paths: [".git"] }, sender: by(heron) }),
    "write.unknown": ({ crow }) => {
      const folder = join(crow.agent.tree, ".sylk");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "config.yaml"), "guard:\n  policy: strict\n");
      return { input: { paths: ["a.ts"], unknown: ["$OUT: redirect"] }, sender: by(crow) };
    },
    // It is told once.
    "lease.lost": {
      ways: ["HTTP on TCP"],
      async prepare({ daemon, heron }) {
        const path = `lost/${number()}.ts`;
        return { input: { paths: [path] }, sender: by(await loserOf(path, daemon, heron)) };
      },
    },
    "agent.ended": ({ ended }) => ({ input: { paths: ["a.ts"] }, sender: { actAs: ended.agent.id } }),
  },
  "guard.used": {
    ok: ({ heron }) => ({ input: { read: ["src/cart.ts"], wrote: ["free/of-holds.ts"] }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { read: [""] }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: { read: ["a.ts"] }, sender: { actAs: ended.agent.id } }),
  },
  "guard.confine": {
    ok: ({ heron }) => ({ input: {}, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { cwd: "" }, sender: by(heron) }),
    "write.unenforced": { notAsked: "needs guard.enforce on and a machine that cannot; enforced-holds.test.ts has it" },
    "agent.ended": ({ ended }) => ({ input: {}, sender: { actAs: ended.agent.id } }),
  },
  "guard.commit": {
    ok: ({ heron }) => ({ input: { paths: ["free/of-holds.ts"] }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { paths: ["a.ts"], fencingToken: 0 }, sender: by(heron) }),
    "project.not-found": ({ heron }) => ({
      input: { paths: ["a.ts"], tree: "/nowhere/at/all" },
      sender: by(heron),
    }),
    "reservation.conflict": ({ heron }) => ({ input: { paths: ["held/by-otter.ts"] }, sender: by(heron) }),
    "lease.lost": ({ heron }) => ({ input: { paths: ["fenced.ts"], fencingToken: 999_999 }, sender: by(heron) }),
    "commit.reverts": ({ heron }) => ({
      input: { paths: ["never/held.ts"], removes: ["never/held.ts"] },
      sender: by(heron),
    }),
    "caller.denied": ({ heron, crow }) => ({
      input: { paths: ["a.ts"], tree: crow.agent.tree },
      sender: by(heron),
    }),
    "agent.ended": ({ ended }) => ({ input: { paths: ["a.ts"] }, sender: { actAs: ended.agent.id } }),
  },
  "work-item.create": {
    ok: ({ heron }) => ({
      input: { title: "Rate-limit POST /orders", type: "feature", priority: 1, body: "429 and Retry-After" },
      sender: by(heron),
    }),
    "input.invalid": ({ heron }) => ({ input: { title: "Too urgent", priority: 9 }, sender: by(heron) }),
    "work-item.not-found": ({ heron }) => ({
      input: { title: "Needs what is not there", dependsOn: [`wrk_${nobody}`] },
      sender: by(heron),
    }),
    "project.not-found": ({ heron }) => ({ input: { title: "Elsewhere", project: "nowhere" }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: { title: "Too late" }, sender: { actAs: ended.agent.id } }),
  },
  "work-item.list": {
    ok: ({ heron }) => ({ input: { status: "closed", limit: 2 }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
    "work-item.not-found": ({ heron }) => ({ input: { parent: `wrk_${nobody}` }, sender: by(heron) }),
    "caller.denied": ({ heron }) => ({ input: { all: true }, sender: by(heron) }),
  },
  "work-item.ready": {
    ok: ({ crow }) => ({ input: { limit: 5, for: "me" }, sender: by(crow) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
    "agent.not-found": ({ heron }) => ({ input: { for: "nobody" }, sender: by(heron) }),
    "caller.denied": ({ heron }) => ({ input: { all: true }, sender: by(heron) }),
  },
  "work-item.get": {
    ok: async ({ heron, otter }) => onItem(await itemOf(otter, "claimed"), heron),
    "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
    "work-item.not-found": ({ heron }) => ({ input: { id: `wrk_${nobody}` }, sender: by(heron) }),
    "caller.denied": async ({ heron, crow }) => onItem(await itemOf(crow), heron),
  },
  "work-item.claim": {
    ok: async ({ daemon, heron }) => onItem(await itemOf(heron), await daemon.register(`fresh-${number()}`)),
    "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
    "work-item.not-found": ({ heron }) => ({ input: { id: `wrk_${nobody}` }, sender: by(heron) }),
    "claim.taken": async ({ heron, otter }) => onItem(await itemOf(otter, "claimed"), heron),
    "claim.limit": async ({ heron, busy }) => onItem(await itemOf(heron), busy),
    "work-item.closed": async ({ heron, otter }) => onItem(await itemOf(otter, "closed"), heron),
    "work-item.blocked": async ({ heron, otter }) => onItem(await itemOf(otter, "blocked"), heron),
    "caller.denied": async ({ heron, crow }) => onItem(await itemOf(crow), heron),
    "agent.ended": onItemByEnded,
  },
  "work-item.unclaim": ownerCases(),
  "work-item.release": ownerCases(),
  "work-item.close": {
    ok: async ({ otter }) => {
      const { id } = await itemOf(otter, "claimed");
      return { input: { id, reason: "merged" }, sender: by(otter) };
    },
    "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
    "work-item.not-found": ({ heron }) => ({ input: { id: `wrk_${nobody}` }, sender: by(heron) }),
    "claim.taken": async ({ heron, otter }) => onItem(await itemOf(otter, "claimed"), heron),
    "work-item.closed": async ({ heron, otter }) => onItem(await itemOf(otter, "closed"), heron),
    "lease.lost": async ({ heron, otter }) => {
      const { id } = await itemOf(otter, "claimed");
      return { input: { id, fencingToken: 1 }, sender: by(heron) };
    },
    "caller.denied": async ({ heron, crow }) => onItem(await itemOf(crow), heron),
    "agent.ended": onItemByEnded,
  },
  "work-item.update": {
    ok: async ({ heron }) => ({
      input: {
        id: (await itemOf(heron)).id,
        title: "Rate-limit all of /orders",
        priority: 0,
        labels: ["lang:ts", "api"],
        status: "blocked",
        reason: "the gateway is replaced first",
      },
      sender: by(heron),
    }),
    "input.invalid": async ({ heron }) => ({
      input: { id: (await itemOf(heron)).id, status: "blocked" },
      sender: by(heron),
    }),
    "work-item.not-found": ({ heron }) => ({ input: { id: `wrk_${nobody}` }, sender: by(heron) }),
    "work-item.cycle": async ({ heron }) => {
      const { id } = await itemOf(heron);
      return { input: { id, dependsOn: [id] }, sender: by(heron) };
    },
    "work-item.closed": async ({ heron }) => ({
      input: { id: (await itemOf(heron, "closed")).id, status: "open" },
      sender: by(heron),
    }),
    "claim.taken": async ({ heron, otter }) => ({
      input: { id: (await itemOf(otter, "claimed")).id, status: "open" },
      sender: by(heron),
    }),
    "agent.ended": async ({ heron, ended }) => ({
      input: { id: (await itemOf(heron)).id, priority: 1 },
      sender: { actAs: ended.agent.id },
    }),
    "caller.denied": async ({ heron, crow }) => onItem(await itemOf(crow), heron),
  },
  "work-item.progress": withNote(ownerCases(), { note: "limiter written", percent: 60 }),
  "work-item.stuck": withNote(
    {
      ok: async ({ otter, heron }) => onItem(await itemOf(otter, "claimed"), heron),
      "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
      "work-item.not-found": ({ heron }) => ({ input: { id: `wrk_${nobody}` }, sender: by(heron) }),
      "work-item.closed": async ({ heron, otter }) => onItem(await itemOf(otter, "closed"), heron),
      "caller.denied": async ({ heron, crow }) => onItem(await itemOf(crow), heron),
      "agent.ended": onItemByEnded,
    },
    { reason: "the staging database refuses connections" },
  ),
  "work-item.handoff": {
    ok: async ({ heron, otter }) => onItem(await itemOf(otter, "claimed"), heron),
    "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
    "work-item.not-found": ({ heron }) => ({ input: { id: `wrk_${nobody}` }, sender: by(heron) }),
    "work-item.closed": async ({ heron, otter }) => onItem(await itemOf(otter, "closed"), heron),
    "work-item.blocked": async ({ heron, otter }) => onItem(await itemOf(otter, "blocked"), heron),
    "agent.not-found": async ({ heron }) => ({
      input: { id: (await itemOf(heron)).id, to: "nobody" },
      sender: by(heron),
    }),
    "agent.ended": async ({ heron, ended }) => ({
      input: { id: (await itemOf(heron)).id, to: ended.agent.id },
      sender: by(heron),
    }),
    "claim.limit": async ({ heron, busy }) => onItem(await itemOf(heron), busy),
    "lease.lost": async ({ heron, otter }) => ({
      input: { id: (await itemOf(otter, "claimed")).id, answer: "accept" },
      sender: by(heron),
    }),
    "handoff.not-asked": async ({ otter }) => ({
      input: { id: (await itemOf(otter, "claimed")).id, answer: "decline" },
      sender: by(otter),
    }),
    "handoff.pending": async ({ heron, otter, busy }) => {
      const { id } = await itemOf(otter, "claimed");
      await heron.client.call("work-item.handoff", { id });
      return { input: { id }, sender: by(busy) };
    },
    "caller.denied": async ({ heron, crow }) => onItem(await itemOf(crow), heron),
  },
  "work-item.notices": {
    ok: ({ crow }) => ({ input: { limit: 5 }, sender: by(crow) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
  },
  // The commands read and write a file; test/flows/work-exchange.test.ts has them.
  "work-item.import": {
    ok: {
      ways: allButCommand,
      prepare: ({ heron }) => ({
        input: { lines: [`{"id":"bd-${number()}","title":"Rate-limit POST /orders","priority":1}`] },
        sender: by(heron),
      }),
    },
    "input.invalid": {
      ways: allButCommand,
      prepare: ({ heron }) => ({ input: { lines: ['{"id":"bd-1"}'] }, sender: by(heron) }),
    },
    "agent.ended": {
      ways: allButCommand,
      prepare: ({ ended }) => ({
        input: { lines: ['{"id":"bd-0","title":"Too late"}'] },
        sender: { actAs: ended.agent.id },
      }),
    },
  },
  "work-item.export": {
    ok: { ways: allButCommand, prepare: ({ crow }) => ({ input: { limit: 1 }, sender: by(crow) }) },
    "input.invalid": { ways: allButCommand, prepare: ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }) },
    "agent.unknown-project": { notAsked: "every way in of this test names a project; the export's own test does not" },
  },
  "mail.send": {
    ok: ({ heron }) => ({
      input: {
        to: ["otter"],
        subject: "Taken over",
        body: "Two lines in parse().",
        content: { kind: "commit-notice", commit: "4f2a91c", paths: ["src/orders.ts"] },
        importance: "low",
      },
      sender: by(heron),
    }),
    "input.invalid": ({ heron }) => ({
      input: { to: ["otter"], subject: "?", content: { kind: "gossip" } },
      sender: by(heron),
    }),
    "agent.not-found": ({ heron }) => ({ input: { to: ["oter"], subject: "Hello" }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({
      input: { to: ["otter"], subject: "Hello" },
      sender: { actAs: ended.agent.id },
    }),
    "message.not-found": ({ heron }) => ({
      input: { subject: "Yes", replyTo: `msg_${nobody}` },
      sender: by(heron),
    }),
    "project.not-found": ({ heron }) => ({ input: { to: ["crow@nowhere"], subject: "Hello" }, sender: by(heron) }),
    "caller.denied": async ({ daemon, heron }) => {
      const shut = await daemon.register(`fresh-${number()}`);
      await shut.client.call("mail.policy", { policy: "none" });
      return { input: { to: [shut.agent.id], subject: "Hello" }, sender: by(heron) };
    },
    "mail.limit": async ({ daemon }) => {
      const { client, token } = await daemon.register(`fresh-${number()}`);
      const input = { to: ["otter"], subject: "Again" };
      for (let sent = 0; sent < 20; sent++) await client.call("mail.send", input);
      return { input, sender: { token } };
    },
  },
  "mail.inbox": {
    // Over MCP other agents' words are fenced; mail.test.ts looks at that.
    ok: { ways: allButMcp, prepare: async (world) => ({ input: { limit: 1 }, sender: await withMail(world) }) },
    "input.invalid": ({ heron }) => ({ input: { upTo: "notices.1" }, sender: by(heron) }),
  },
  "mail.everywhere": {
    ok: { ways: allButMcp, prepare: () => ({ input: { limit: 5 }, sender: user }) },
    "input.invalid": () => ({ input: { limit: 0 }, sender: user }),
  },
  "mail.search": {
    ok: {
      ways: allButMcp,
      prepare: async (world) => ({ input: { query: "parse", limit: 1 }, sender: await withMail(world) }),
    },
    "input.invalid": ({ heron }) => ({ input: { query: "!?" }, sender: by(heron) }),
    "caller.denied": ({ heron }) => ({ input: { all: true }, sender: by(heron) }),
  },
  "mail.get": {
    ok: {
      ways: allButMcp,
      prepare: async (world) => ({ input: { id: await mailTo(world.otter, world) }, sender: by(world.otter) }),
    },
    "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
    "message.not-found": ({ heron }) => ({ input: { id: `msg_${nobody}` }, sender: by(heron) }),
    "caller.denied": async (world) => ({ input: { id: await mailTo(world.otter, world) }, sender: by(world.crow) }),
  },
  "mail.ack": {
    ok: async (world) => ({ input: { id: await mailTo(world.otter, world) }, sender: by(world.otter) }),
    "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
    "message.not-found": ({ heron }) => ({ input: { id: `msg_${nobody}` }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: { id: `msg_${nobody}` }, sender: { actAs: ended.agent.id } }),
    "caller.denied": async (world) => ({ input: { id: await mailTo(world.otter, world) }, sender: by(world.heron) }),
  },
  "mail.overdue": {
    ok: ({ heron }) => ({ input: { limit: 5 }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
    "caller.denied": ({ heron }) => ({ input: { all: true }, sender: by(heron) }),
  },
  "mail.subscribe": {
    ok: ({ heron }) => ({ input: { topic: "api/orders" }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { topic: "No Topic" }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: { topic: "api/orders" }, sender: { actAs: ended.agent.id } }),
  },
  "mail.policy": {
    ok: ({ busy }) => ({ input: { policy: "contacts", add: ["otter"] }, sender: by(busy) }),
    "input.invalid": ({ heron }) => ({ input: { add: ["x".repeat(300)] }, sender: by(heron) }),
    "agent.not-found": ({ heron }) => ({ input: { add: ["oter"] }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: {}, sender: { actAs: ended.agent.id } }),
    "project.not-found": ({ heron }) => ({ input: { add: ["crow@nowhere"] }, sender: by(heron) }),
  },
  "finding.add": {
    ok: {
      ways: allButMcp,
      prepare: ({ heron }) => ({ input: aFinding(`fresh/fresh-${number()}.ts`), sender: by(heron) }),
    },
    "input.invalid": ({ heron }) => ({ input: { summary: "Where?", category: "tests" }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: aFinding("late.ts"), sender: { actAs: ended.agent.id } }),
  },
  "finding.list": {
    ok: {
      ways: allButMcp,
      prepare: async (world) => {
        await foundBy(world.heron);
        return { input: { severity: "important", limit: 1 }, sender: by(world.otter) };
      },
    },
    "input.invalid": ({ heron }) => ({ input: { path: "../outside.ts" }, sender: by(heron) }),
  },
  "finding.get": {
    ok: { ways: allButMcp, prepare: async ({ heron }) => ({ input: await foundBy(heron), sender: by(heron) }) },
    ...findingErrors({}),
  },
  "finding.mark": {
    ok: {
      ways: allButMcp,
      prepare: async ({ heron, otter }) => ({
        input: { ...(await foundBy(heron)), status: "accepted", why: "reproduced" },
        sender: by(otter),
      }),
    },
    ...findingErrors({ status: "fixed", why: "done" }),
    "agent.ended": ({ ended }) => ({
      input: { id: `fnd_${nobody}`, status: "fixed", why: "done" },
      sender: { actAs: ended.agent.id },
    }),
  },
  "finding.investigate": {
    ok: ({ heron }) => ({
      input: { topic: "orders are lost on restart", files: ["src/orders.ts"], done: true },
      sender: by(heron),
    }),
    "input.invalid": ({ heron }) => ({ input: { topic: "outside", files: ["../x"] }, sender: by(heron) }),
    "agent.ended": ({ ended }) => ({ input: { topic: "too late" }, sender: { actAs: ended.agent.id } }),
  },
  "finding.promote": {
    ok: {
      ways: allButMcp,
      prepare: async ({ heron }) => ({ input: { ...(await foundBy(heron)), priority: 4 }, sender: by(heron) }),
    },
    ...findingErrors({}),
    "agent.ended": ({ ended }) => ({ input: { id: `fnd_${nobody}` }, sender: { actAs: ended.agent.id } }),
  },
  "health.report": {
    ok: ({ heron }) => ({
      input: { reports: [{ kind: "hook", component: "pre-edit", outcome: "ok", ms: 3 }] },
      sender: by(heron),
    }),
    "input.invalid": ({ heron }) => ({
      input: { reports: [{ kind: "hook", component: "pre-edit", outcome: "splendid" }] },
      sender: by(heron),
    }),
  },
  "health.show": {
    ok: { ways: allButMcp, prepare: ({ heron }) => ({ input: { kind: "adapter" }, sender: by(heron) }) },
    "input.invalid": ({ heron }) => ({ input: { agent: "x".repeat(121) }, sender: by(heron) }),
  },
  "health.greeting": { ok: { ways: allButMcp, prepare: ({ heron }) => ({ input: {}, sender: by(heron) }) } },
  "companion.list": { ok: { ways: allButMcp, prepare: ({ heron }) => ({ input: {}, sender: by(heron) }) } },
  "incident.list": {
    ok: { ways: allButMcp, prepare: () => ({ input: { all: true, limit: 1 }, sender: user }) },
    "input.invalid": () => ({ input: { limit: 0 }, sender: user }),
  },
  "incident.resolve": {
    ok: { ways: allButMcp, prepare: async (world) => ({ input: await incident(world), sender: user }) },
    "input.invalid": () => ({ input: { id: "nope" }, sender: user }),
    "caller.denied": ({ heron }) => ({ input: { id: `inc_${nobody}` }, sender: by(heron) }),
    "incident.not-found": () => ({ input: { id: `inc_${nobody}` }, sender: user }),
  },
  "ledger.show": {
    ok: {
      ways: allButMcp,
      prepare: () => ({ input: { by: "day", since: 1_700_000_000_000, limit: 5 }, sender: user }),
    },
    "input.invalid": () => ({ input: { limit: 0 }, sender: user }),
    "agent.unknown-project": { notAsked: "every way in of this test names a project" },
    "settings.invalid": { notAsked: "a broken price file would spoil the other cases; the flow of the ledger has one" },
  },
  "session.create": {
    ok: ({ heron }) => ({ input: { name: "checkout", description: "The till", waitMs: 0 }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { name: "x".repeat(121) }, sender: by(heron) }),
    "session.limit": { notAsked: "would fill the store for the other cases; the flow of sessions has it" },
  },
  "session.list": {
    ok: ({ heron }) => ({ input: { limit: 3 }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
  },
  "session.stats": { ok: { ways: allButMcp, prepare: ({ heron }) => ({ input: {}, sender: by(heron) }) } },
  "session.get": { ok: (world) => onSession(world, "created"), ...sessionErrors },
  "session.switch": {
    ok: async (world) => {
      const [before, call] = [await onSession(world, "created"), await onSession(world, "created")];
      await world.heron.client.call("session.switch", { id: before.input.id as SessionId, onBlur: "background" });
      return { ...call, input: { ...call.input, onBlur: "background" } };
    },
    ...sessionErrors,
    "session.limit": { notAsked: "would fill the store for the other cases; the flow of sessions has it" },
    ...restErrors,
    "session.not-possible": (world) => onSession(world, "completed"),
  },
  "session.pause": {
    ok: (world) => onSession(world, "active"),
    ...sessionErrors,
    ...restErrors,
    "session.not-possible": (world) => onSession(world, "paused"),
  },
  "session.resume": {
    ok: (world) => onSession(world, "paused"),
    ...sessionErrors,
    "session.limit": { notAsked: "would fill the store for the other cases; the flow of sessions has it" },
    ...restErrors,
    "session.not-possible": (world) => onSession(world, "active"),
  },
  "session.suspend": {
    ok: (world) => onSession(world, "active"),
    ...sessionErrors,
    ...restErrors,
    "session.not-possible": (world) => onSession(world, "created"),
  },
  "session.close": {
    ok: async (world) => {
      const call = await onSession(world, "active");
      return { ...call, input: { ...call.input, failed: true, reason: "not worth it" } };
    },
    ...sessionErrors,
    "session.not-possible": (world) => onSession(world, "completed"),
  },
  "session.set": {
    ok: (world) => onSession(world, "active", { name: "budget", value: "200000" }),
    ...valueErrors({ name: "budget", value: "lots" }, { name: "budget", value: "1" }),
    "provider.not-found": (world) => onSession(world, "active", { name: "provider", value: "nobody" }),
    "provider.missing": { notAsked: "needs a provider that is known and has no key; the flow of providers has one" },
  },
  "session.unset": {
    ok: (world) => onSession(world, "active", { name: "budget" }),
    ...valueErrors({ name: "colour" }, { name: "budget" }),
  },
  "session.promote": {
    ok: async (world) => {
      const call = await onSession(world, "active", { name: "onBlur", withdraw: false });
      const id = call.input.id as SessionId;
      await world.heron.client.call("session.set", { id, name: "onBlur", value: "pause" });
      return call;
    },
    ...valueErrors({ name: "colour" }, { name: "onBlur" }),
  },
  "session.messages": {
    ok: (world) => onSession(world, "active", { type: "USER_INPUT", minPriority: 75 }),
    "input.invalid": (world) => onSession(world, "active", { minPriority: 101 }),
    "session.not-found": ({ heron }) => ({ input: { id: `ses_${nobody}` }, sender: by(heron) }),
  },
  "session.note": {
    ok: (world) => onSession(world, "active", { name: "ticket", text: "SHOP-42" }),
    ...valueErrors({ name: "", text: "x" }, { name: "ticket", text: "x" }),
  },
  "run.start": {
    // The command follows the run to its end; its last line is tested with the command line.
    ok: { ways: ["HTTP on TCP", "client on unix", "MCP"], prepare: (world) => rehearsal(world) },
    "input.invalid": (world) => rehearsal(world, { request: " " }),
    "project.not-found": (world) => rehearsal(world, { project: { path: "/nowhere/at/all" } }),
    "provider.missing": async (world) => {
      await removeProviders(world);
      return rehearsal(world, { rehearse: undefined });
    },
    "workspace.unavailable": (world) => ({
      ...rehearsal(world, { project: { path: world.bareFolder } }),
      sender: user,
    }),
    "session.not-found": (world) => rehearsal(world, { session: `ses_${nobody}` }),
    "session.not-possible": async (world) => rehearsal(world, { session: (await onSession(world, "paused")).input.id }),
    ...restErrors,
    "session.limit": { notAsked: "would fill the store for the other cases; the flow of sessions has it" },
    "provider.not-found": (world) => rehearsal(world, { rehearse: undefined, provider: "nobody" }),
    // The command takes the project from where it is started, and its agent from there.
    "caller.denied": {
      ways: ["HTTP on TCP", "client on unix", "MCP"],
      prepare: (world) => rehearsal(world, { project: { path: world.crow.agent.tree } }),
    },
  },
  "run.list": {
    ok: ({ heron }) => ({ input: { status: "cancelled", limit: 1 }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
  },
  "run.get": {
    ok: ({ heron, cancelledRun }) => ({ input: { id: cancelledRun }, sender: by(heron) }),
    ...runErrors(),
  },
  "run.interrupt": { ok: needsRunUnderWay, ...runErrors("cancelledRun") },
  "run.pause": { ok: { ways: some, prepare: (world) => onWaitingRun(world) }, ...runErrors("cancelledRun") },
  "run.retry": {
    ok: { notAsked: "its answer says how far the node is by then; run-nodes.test.ts retries over three ways" },
    ...runErrors("discardedRun", { node: "conclude" }),
    "session.not-possible": needsRestingSession,
  },
  "run.skip": {
    ok: {
      ways: some,
      prepare: (world) => onWaitingRun(world, { node: "The cart knows discounts", treatAsDone: true }),
    },
    ...runErrors("cancelledRun", { node: "plan" }),
  },
  "run.answer": {
    ok: { ways: some, prepare: async (world) => ({ ...(await onWaitingRun(world, rejection)), sender: user }) },
    ...runErrors("cancelledRun", { decision: "approve" }, user),
    "caller.denied": async (world) => onWaitingRun(world, rejection),
  },
  "run.adjust": {
    ok: { ways: ["HTTP on TCP", "MCP"], prepare: (world) => onWaitingRun(world, { nodes: { docs } }) },
    ...withoutCommand(runErrors("cancelledRun", { nodes: { docs } })),
    "dag.stale": {
      ways: allButCommand,
      prepare: (world) => onWaitingRun(world, { nodes: { docs }, expectedVersion: 70 }),
    },
  },
  "run.resume": { ok: needsRunUnderWay, ...runErrors("cancelledRun"), "session.not-possible": needsRestingSession },
  "run.cancel": {
    ok: {
      ways: some,
      prepare: async (world) => onRun((await waitingApproval(await startRun(world), world)).run, world),
    },
    ...runErrors("cancelledRun"),
  },
  "run.diff": {
    ok: ({ heron, cancelledRun }) => ({ input: { id: cancelledRun }, sender: by(heron) }),
    ...runErrors("discardedRun"),
  },
  "run.merge": {
    ok: needsVerifiedRun,
    ...runErrors("cancelledRun"),
    "workspace.unavailable": needsVerifiedRun,
    "workspace.dirty": needsVerifiedRun,
    "workspace.conflict": needsVerifiedRun,
    "reservation.conflict": needsVerifiedRun,
    "commit.not-possible": needsVerifiedRun,
  },
  "run.discard": {
    ok: { ways: some, prepare: async (world) => onRun(await cancelRun(await startRun(world), world), world) },
    ...runErrors("discardedRun"),
  },
  // The command follows the run; run-feedback.test.ts calls it.
  "run.budget": {
    ok: {
      ways: some,
      prepare: async (world) => ({ ...(await onWaitingRun(world, higher, { budget: 200_000 })), sender: user }),
    },
    ...runErrors("cancelledRun", higher, user),
  },
  "run.feedback": {
    ok: { notAsked: "its answer says how far the plan is by then; run-feedback.test.ts gives feedback" },
    ...runErrors("cancelledRun", { text: "Also handle negative numbers" }),
    "session.not-possible": needsRestingSession,
  },
  "run.clear": {
    ok: ({ heron }) => ({ input: {}, sender: by(heron) }),
    "input.invalid": { ways: allButCommand, prepare: ({ heron }) => ({ input: { all: true }, sender: by(heron) }) },
  },
  // The command takes a file and tells problems by line; the flow of small truths calls it.
  "dag.check": {
    ok: {
      ways: allButCommand,
      prepare: ({ heron }) => ({ input: { graph: { nodes: { a: { run: "a | b" } } } }, sender: by(heron) }),
    },
    "input.invalid": { ways: allButCommand, prepare: ({ heron }) => ({ input: { graph: [] }, sender: by(heron) }) },
  },
  // The command takes a file and follows the run; the flow of DAG runs calls it.
  "dag.run": {
    ok: { ways: ["HTTP on TCP", "client on unix", "MCP"], prepare: (world) => graph(world) },
    "input.invalid": { ways: allButCommand, prepare: (world) => graph(world, { nodes: { a: { dependsOn: ["a"] } } }) },
    "project.not-found": {
      ways: allButCommand,
      prepare: (world) => graph(world, { project: { path: "/nowhere/at/all" } }),
    },
    "session.not-found": { ways: allButCommand, prepare: (world) => graph(world, { session: `ses_${nobody}` }) },
    "session.not-possible": {
      ways: allButCommand,
      prepare: async (world) => graph(world, { session: (await onSession(world, "completed")).input.id }),
    },
    ...restErrors,
    "session.limit": { notAsked: "would fill the store for the other cases; the flow of sessions has it" },
    "provider.missing": {
      ways: allButCommand,
      prepare: async (world) => {
        const { user: client } = world.daemon;
        for (const { name } of (await client.call("provider.list", {})).items)
          await client.call("provider.remove", { name });
        return graph(world, { nodes: { ask: { prompt: "Why?" } } });
      },
    },
    "provider.not-found": {
      ways: allButCommand,
      prepare: (world) => graph(world, { nodes: { ask: { prompt: "Why?" } }, provider: "nobody" }),
    },
    "scenario.invalid": {
      ways: allButCommand,
      prepare: (world) => graph(world, { nodes: { ask: { prompt: "Why?" } }, rehearse: "/nowhere/at/all.yaml" }),
    },
    "caller.denied": {
      ways: allButCommand,
      prepare: (world) => graph(world, { project: { path: world.crow.agent.tree } }),
    },
  },
  "dag.list": {
    ok: ({ heron }) => ({ input: { status: "cancelled", limit: 1 }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
  },
  "dag.show": {
    // Over MCP what nodes and other agents said is fenced, as in mail.
    ok: { ways: allButMcp, prepare: async (world) => onDag(world) },
    ...dagErrors(),
    "dag.not-found": ({ heron }) => ({ input: { id: `dag_${nobody}` }, sender: by(heron) }),
  },
  "dag.cancel": { ok: { ways: some, prepare: (world) => onFreshDag(world) }, ...dagErrors("ended") },
  "dag.pause": { ok: { ways: some, prepare: (world) => onFreshDag(world) }, ...dagErrors("ended") },
  "dag.resume": {
    ok: {
      ways: some,
      prepare: async (world) => {
        const call = await onFreshDag(world);
        await world.daemon.user.call("dag.pause", { id: call.input.id as DagId });
        return call;
      },
    },
    ...dagErrors("ended"),
    "session.not-possible": { ways: some, prepare: (world) => onRestingDag(world) },
  },
  "dag.retry": {
    ok: { ways: some, prepare: (world) => onDag(world, { node: "gate" }, "fresh") },
    ...dagErrors("waiting", { node: "gate" }),
    "session.not-possible": { ways: some, prepare: (world) => onRestingDag(world, { node: "gate" }) },
  },
  "dag.skip": {
    ok: { ways: some, prepare: (world) => onFreshDag(world, { node: "gate", reason: "not today" }) },
    ...dagErrors("ended", { node: "gate" }),
  },
  "dag.answer": {
    ok: {
      ways: some,
      prepare: async (world) => ({ ...(await onFreshDag(world, { node: "gate", ...rejection })), sender: user }),
    },
    ...dagErrors("ended", { node: "gate", decision: "approve" }, user),
    "caller.denied": async (world) => ({
      ...(await onDag(world, { node: "gate", ...rejection })),
      sender: by(world.heron),
    }),
  },
  "dag.adjust": {
    ok: { ways: ["HTTP on TCP", "MCP"], prepare: (world) => onFreshDag(world, { remove: ["later"] }) },
    ...dagErrors("ended", { remove: ["later"] }),
    "dag.stale": {
      ways: allButCommand,
      prepare: (world) => onFreshDag(world, { remove: ["later"], expectedVersion: 7 }),
    },
  },
  "approval.list": {
    ok: ({ heron, rejected }) => ({ input: { run: rejected.run }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { run: "nope" }, sender: by(heron) }),
    "caller.denied": ({ heron }) => ({ input: { all: true }, sender: by(heron) }),
  },
  "approval.decide": {
    ok: {
      ways: some,
      prepare: async (world) => decide((await waitingApproval(await startRun(world), world)).id, user),
    },
    "input.invalid": () => decide("apr_nope", user),
    "approval.not-found": () => decide(`apr_${nobody}`, user),
    "approval.decided": ({ rejected }) => decide(rejected.id, user),
    "caller.denied": ({ rejected, heron }) => decide(rejected.id, by(heron)),
    "session.not-possible": needsRestingSession,
    "run.not-possible": { notAsked: "its approval is settled with the node that asked" },
    "dag.not-possible": { notAsked: "its approval is settled with the node that asked" },
    "lease.lost": { notAsked: "needs a hold that ends between two reads" },
    "tool.install-off": { notAsked: "needs a setting that changes after an agent asked" },
    "tool.install-failed": { notAsked: "the flow of installations has one" },
  },
  "history.store": {
    ok: {
      ways: allButMcp,
      prepare: ({ heron }) => ({ input: { title: "A note", content: { why: "asked" } }, sender: by(heron) }),
    },
    "input.invalid": ({ heron }) => ({ input: { title: "note", category: "No!" }, sender: by(heron) }),
    "session.not-found": ({ heron }) => ({ input: { title: "note", session: `ses_${nobody}` }, sender: by(heron) }),
    "caller.denied": ({ heron }) => ({ input: { title: "note", session: "default" }, sender: by(heron) }),
  },
  "history.list": onHistory({ query: "zanzibar", limit: 1 }, { limit: 0 }),
  "history.get": {
    ok: { ways: allButMcp, prepare: async ({ heron }) => ({ input: await keptBy(heron), sender: by(heron) }) },
    "input.invalid": ({ heron }) => ({ input: { id: "x".repeat(61) }, sender: by(heron) }),
    "entry.not-found": ({ heron }) => ({ input: { id: `ent_${nobody}` }, sender: by(heron) }),
  },
  "history.mark": onEntry({ mark: "keep" }),
  "history.promote": onEntry({ reason: "all should know" }),
  "history.sessions": onHistory({ query: "zanzibar" }, { limit: 0 }),
  "history.timeline": onHistory({ session: "default", limit: 1 }, { limit: 0 }),
  "history.workflows": onHistory({ limit: 1 }, { limit: 0 }),
  "history.similar": onHistory({ text: "zanzibar" }, { text: "" }),
  "history.savings": onHistory({ session: "default" }, { session: "nope" }),
  "history.brief": {
    ...onHistory({ tier: "micro", session: "default" }, { tier: "endless" }),
    // To a model the text is fenced.
    ok: {
      ways: allButMcp,
      prepare: ({ heron }) => ({ input: { tier: "micro", session: "default" }, sender: by(heron) }),
    },
  },
  "history.compact": onPartition({ dryRun: true }),
  "history.snapshot": onPartition({}),
  "history.restore": {
    ok: async ({ heron }) => ({ input: await savedBy(heron), sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { id: "x".repeat(61) }, sender: by(heron) }),
    "entry.not-found": ({ heron }) => ({ input: { id: `ent_${nobody}` }, sender: by(heron) }),
    "caller.denied": async ({ daemon, heron }) => {
      const { snapshot } = await daemon.user.call("history.snapshot", { session: "default" });
      return { input: { id: snapshot.id }, sender: by(heron) };
    },
  },
  "history.use": {
    ok: { ways: allButMcp, prepare: () => ({ input: {}, sender: user }) },
    "input.invalid": () => ({ input: { session: "nope" }, sender: user }),
    "session.not-found": { ways: allButMcp, prepare: () => ({ input: { session: `ses_${nobody}` }, sender: user }) },
    "caller.denied": ({ heron }) => ({ input: {}, sender: by(heron) }),
  },
  "ask.send": {
    // To a model the text is fenced; the flow of questions looks at that.
    ok: { ways: allButMcp, prepare: (world) => question(world, { input: "@to:archivalist what did we try?" }) },
    "input.invalid": (world) => question(world, { input: "@to:wizard what did we try?" }),
    "project.not-found": (world) => question(world, { project: { path: "/nowhere/at/all" } }),
    "session.not-found": (world) => question(world, { session: `ses_${nobody}` }),
    "session.not-possible": async (world) =>
      question(world, { session: (await onSession(world, "completed")).input.id }),
    ...restErrors,
    "caller.denied": {
      ways: ["HTTP on TCP", "client on unix", "MCP"],
      prepare: (world) => question(world, { project: { path: world.crow.agent.tree } }),
    },
    "route.unsure": (world) => question(world, { input: "review the tests" }),
    "route.unknown": (world) => question(world, { input: "hello there" }),
    "role.unavailable": { notAsked: "needs a role that fails or keeps silent; the flow of questions has one" },
    "role.busy": { notAsked: "needs a thousand requests that wait; the Guide's own tests have them" },
    "provider.missing": async (world) => {
      await removeProviders(world);
      return question(world, { input: "@to:architect how should it be?" });
    },
    "provider.not-found": (world) => question(world, { input: "@to:tester what is tested?", provider: "nobody" }),
    "workspace.unavailable": (world) => ({
      ...question(world, { input: "@to:librarian readme", project: { path: world.bareFolder } }),
      sender: user,
    }),
    "run.not-found": (world) => ({
      ...question(world, { input: "/status", project: { path: world.bareFolder } }),
      sender: user,
    }),
  },
  "ask.routes": {
    ok: ({ heron }) => ({ input: { input: "where is the total computed?" }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { input: "@to:wizard where?" }, sender: by(heron) }),
    "session.not-found": ({ heron }) => ({ input: { input: "where?", session: `ses_${nobody}` }, sender: by(heron) }),
    "session.not-possible": async (world) => ({
      input: { input: "where?", session: (await onSession(world, "completed")).input.id },
      sender: by(world.heron),
    }),
    ...restErrors,
  },
  "ask.metrics": {
    ok: () => ({ input: {}, sender: user }),
    "input.invalid": () => ({ input: { session: "nope" }, sender: user }),
    "caller.denied": ({ heron }) => ({ input: {}, sender: by(heron) }),
    "session.not-found": () => ({ input: { session: `ses_${nobody}` }, sender: user }),
  },
  "tool.install": {
    ok: ({ daemon }) => ({ input: { tool: "pytest", path: pythonPlace(daemon) }, sender: user }),
    ...installErrors,
    "tool.install-off": ({ daemon }) => ({
      input: { tool: "pytest", path: pythonPlace(daemon), dryRun: false },
      sender: user,
    }),
  },
  "tool.uninstall": {
    ok: ({ daemon }) => ({ input: { tool: "ruff", path: pythonPlace(daemon) }, sender: user }),
    ...installErrors,
    "tool.install-off": ({ daemon }) => ({
      input: { tool: "ruff", path: pythonPlace(daemon), dryRun: false },
      sender: user,
    }),
  },
  "tool.discover": {
    ok: ({ heron }) => ({ input: { path: heron.agent.tree, category: "linter", refresh: true }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({
      input: { path: heron.agent.tree, languages: ["x".repeat(41)] },
      sender: by(heron),
    }),
    "caller.denied": ({ heron, crow }) => ({ input: { path: crow.agent.tree }, sender: by(heron) }),
    "project.not-found": () => ({ input: { path: "/nowhere/at/all" }, sender: user }),
    "session.not-found": ({ heron }) => ({ input: { session: `ses_${nobody}` }, sender: by(heron) }),
    "session.not-possible": async (world) => ({
      input: { session: (await onSession(world, "completed")).input.id },
      sender: by(world.heron),
    }),
    ...restErrors,
    "role.unavailable": { notAsked: "needs a Librarian that fails; the Guide's own tests have such roles" },
  },
  "skill.list": {
    ok: ({ heron }) => ({ input: { role: "engineer", for: "find what exists in the codebase" }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { for: "x".repeat(4_001) }, sender: by(heron) }),
    "caller.denied": ({ heron, crow }) => ({ input: { folder: crow.agent.tree }, sender: by(heron) }),
    "project.not-found": () => ({ input: { folder: "/nowhere/at/all" }, sender: user }),
  },
  "skill.show": {
    ok: ({ heron }) => ({ input: { name: "guide_sessions", role: "guide" }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { name: "a".repeat(65) }, sender: by(heron) }),
    "skill.not-found": ({ heron }) => ({ input: { name: "read_fil" }, sender: by(heron) }),
    "caller.denied": ({ heron, crow }) => ({ input: { name: "search", folder: crow.agent.tree }, sender: by(heron) }),
    "project.not-found": () => ({ input: { name: "search", folder: "/nowhere/at/all" }, sender: user }),
  },
  "skill.check": {
    ok: ({ heron }) => ({ input: { path: heron.agent.tree }, sender: by(heron) }),
    "input.invalid": { ways: allButCommand, prepare: () => ({ input: { path: "relative" }, sender: user }) },
    "caller.denied": ({ heron, crow }) => ({ input: { path: crow.agent.tree }, sender: by(heron) }),
    "project.not-found": () => ({ input: { folder: "/nowhere/at/all" }, sender: user }),
  },
  "skill.loaded": {
    ok: ({ heron }) => ({ input: { role: "tester" }, sender: by(heron) }),
    "input.invalid": {
      ways: allButCommand,
      prepare: ({ heron }) => ({ input: { role: "nobody" }, sender: by(heron) }),
    },
  },
  "skill.load": {
    ok: ({ heron }) => ({ input: { name: "sessions" }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { name: "a".repeat(65) }, sender: by(heron) }),
    "skill.not-found": ({ heron }) => ({ input: { name: "guide_nothing" }, sender: by(heron) }),
  },
  "skill.unload": {
    ok: ({ heron }) => ({ input: { name: "metrics" }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { name: "help" }, sender: by(heron) }),
    "skill.not-found": ({ heron }) => ({ input: { name: "guide_nothing" }, sender: by(heron) }),
  },
  "skill.call": {
    ok: ({ heron }) => ({
      input: { name: "list_available_tools", role: "inspector", input: { path: "." } },
      sender: by(heron),
    }),
    "input.invalid": ({ heron }) => ({ input: { name: "guide_sessions", input: { all: 7 } }, sender: by(heron) }),
    "skill.not-found": ({ heron }) => ({ input: { name: "guide_nothing" }, sender: by(heron) }),
    "caller.denied": ({ heron }) => ({
      input: { name: "get_file", role: "librarian", input: { path: "../outside" } },
      sender: by(heron),
    }),
    "session.not-found": ({ heron }) => ({ input: { name: "agents", session: `ses_${nobody}` }, sender: by(heron) }),
    "session.not-possible": async (world) => ({
      input: { name: "agents", session: (await onSession(world, "completed")).input.id },
      sender: by(world.heron),
    }),
    "session.limit": { notAsked: "would fill the store for the other cases; the flow of sessions has it" },
    ...restErrors,
    "route.unsure": ({ heron }) => ({
      input: { name: "route", input: { input: "review the tests" } },
      sender: by(heron),
    }),
    "route.unknown": ({ heron }) => ({ input: { name: "route", input: { input: "hello there" } }, sender: by(heron) }),
    "role.unavailable": { notAsked: "needs a role that fails or keeps silent; the flow of questions has one" },
    "role.busy": { notAsked: "needs a thousand requests that wait; the Guide's own tests have them" },
    "provider.missing": async (world) => {
      await removeProviders(world);
      return { input: { name: "route", input: { input: "@to:architect how?" } }, sender: by(world.heron) };
    },
    "workspace.unavailable": { notAsked: "an agent's tree is a repository; asked of ask.send with another folder" },
    "run.not-found": ({ heron }) => ({
      input: { name: "get_results", role: "tester", input: { run_id: `run_${nobody}` } },
      sender: by(heron),
    }),
    "dag.not-found": ({ heron }) => ({
      input: { name: "get_status", role: "orchestrator", input: { dag_id: `dag_${nobody}` } },
      sender: by(heron),
    }),
    "dag.not-possible": { notAsked: "refused by the operation that it calls, which is asked itself" },
  },
  "config.trust": {
    ok: ({ crow }) => {
      const settings = "guard:\n  policy: strict\n";
      mkdirSync(join(crow.agent.tree, ".sylk"), { recursive: true });
      writeFileSync(join(crow.agent.tree, ".sylk", "config.yaml"), settings);
      const digest = createHash("sha256").update(settings).digest("hex");
      return { input: { path: crow.agent.tree, digest }, sender: user };
    },
    "input.invalid": ({ daemon }) => ({ input: { path: daemon.root, digest: "0".repeat(64) }, sender: user }),
  },
  "config.distrust": {
    ok: ({ daemon }) => ({ input: { path: daemon.repository }, sender: user }),
    "input.invalid": () => ({ input: { path: "/nowhere/at/all" }, sender: user }),
  },
  "provider.add": {
    ok: async ({ daemon }) => {
      await daemon.user.call("provider.add", provider("first")); // the first one becomes the default
      return { input: provider(`fresh-${number()}`), sender: user };
    },
    "input.invalid": () => ({ input: { ...provider("fresh-0"), baseUrl: "nowhere" }, sender: user }),
  },
  "provider.list": { ok: ({ heron }) => ({ input: {}, sender: by(heron) }) },
  "provider.test": {
    ok: async ({ daemon }) => {
      await daemon.user.call("provider.add", provider("first"));
      return { input: { name: "first" }, sender: user };
    },
    "input.invalid": () => ({ input: { name: "Not A Name" }, sender: user }),
    "provider.not-found": () => ({ input: { name: "nobody" }, sender: user }),
  },
  "provider.remove": {
    ok: async ({ daemon }) => {
      const name = `fresh-${number()}`;
      await daemon.user.call("provider.add", provider(name));
      return { input: { name }, sender: user };
    },
    "input.invalid": () => ({ input: { name: "Not A Name" }, sender: user }),
    "provider.not-found": () => ({ input: { name: "nobody" }, sender: user }),
  },
  "audit.list": {
    ok: () => ({ input: { action: "user-token", limit: 1 }, sender: user }),
    "input.invalid": () => ({ input: { action: "Not An Action" }, sender: user }),
    "caller.denied": ({ heron }) => ({ input: {}, sender: by(heron) }),
  },
  "audit.verify": {
    ok: () => ({ input: {}, sender: user }),
    "input.invalid": ({ daemon }) => ({ input: { file: `${daemon.repository}/README.md` }, sender: user }),
    "caller.denied": ({ heron }) => ({ input: {}, sender: by(heron) }),
  },
  "project.list": {
    ok: () => ({ input: {}, sender: user }),
    "caller.denied": ({ heron }) => ({ input: {}, sender: by(heron) }),
  },
  "project.forget": {
    ok: async ({ daemon }) => {
      await daemon.clientOf({ project: daemon.addRepository(`fresh-${number()}`) }).call("run.list", {});
      return forgetting(join(daemon.root, `fresh-${fresh}`), user);
    },
    "input.invalid": () => forgetting(`/${"x".repeat(4097)}`, user),
    "project.not-found": () => forgetting("/nowhere/at/all", user),
    "project.in-use": ({ daemon }) => forgetting(daemon.repository, user),
    "caller.denied": ({ daemon, heron }) => forgetting(daemon.repository, by(heron)),
  },
  "store.backup": {
    ok: ({ daemon }) => ({ input: { file: join(daemon.root, `fresh-${number()}`) }, sender: user }),
    "input.invalid": () => ({ input: { file: `/${"x".repeat(4097)}` }, sender: user }),
    "file.exists": ({ daemon }) => ({ input: { file: daemon.paths.token }, sender: user }),
    "caller.denied": ({ heron }) => ({ input: {}, sender: by(heron) }),
  },
  "store.export": {
    ok: ({ daemon }) => ({ input: { file: join(daemon.root, `fresh-${number()}`) }, sender: user }),
    "input.invalid": () => ({ input: { file: `/${"x".repeat(4097)}` }, sender: user }),
    "file.exists": ({ daemon }) => ({ input: { file: daemon.paths.token }, sender: user }),
    "project.not-found": () => ({ input: { only: "/nowhere/at/all" }, sender: user }),
    "caller.denied": ({ heron }) => ({ input: {}, sender: by(heron) }),
  },
  "store.purge": {
    ok: () => ({ input: { before: 1_700_000_000_000, dryRun: false }, sender: user }),
    "input.invalid": () => ({ input: { before: -1, dryRun: true }, sender: user }),
    "caller.denied": ({ heron }) => ({ input: { before: 0, dryRun: true }, sender: by(heron) }),
  },
  "event.list": {
    ok: ({ heron, oldestCursor }) => ({
      input: { after: oldestCursor, limit: 5, type: "reservation.*" },
      sender: by(heron),
    }),
    "input.invalid": ({ heron }) => ({ input: { after: -1 }, sender: by(heron) }),
    "events.truncated": ({ heron }) => ({ input: { after: 0 }, sender: by(heron) }),
  },
  "daemon.examine": {
    ok: { notAsked: "its findings tell of free space and of the asking process; the page of Health shows them" },
    // The command examines by itself and asks no daemon.
    "caller.denied": { ways: allButCommand, prepare: ({ heron }) => ({ input: {}, sender: by(heron) }) },
  },
  "dashboard.link": {
    ok: () => ({ input: {}, sender: user }),
    "caller.denied": ({ heron }) => ({ input: {}, sender: by(heron) }),
  },
  "daemon.status": { ok: () => ({ input: {}, sender: user }) },
  "daemon.stop": {
    ok: () => ({ input: {}, sender: user }),
    // The command has the user's token at hand and sends no other.
    "caller.denied": { ways: allButCommand, prepare: ({ heron }) => ({ input: {}, sender: by(heron) }) },
  },
};

function forgetting(target: string, sender: Sender): PreparedCall {
  return { input: { target, dryRun: true }, sender };
}

/** A fresh receiver with one unread message, whose words are the same each time. */
async function withMail(world: AgreementWorld): Promise<Sender> {
  const receiver = await world.daemon.register(`fresh-${number()}`);
  await mailTo(receiver, world);
  return by(receiver);
}

/** By somebody new each time: there is a limit for each pair. */
async function mailTo({ agent }: ScratchAgent, { daemon }: AgreementWorld): Promise<MessageId> {
  const { client } = await daemon.register(`fresh-${number()}`);
  const { message } = await client.call("mail.send", { to: [agent.id], subject: "About parse", ackRequired: true });
  return message.id;
}

function aFinding(path: string) {
  return {
    summary: "parse() drops the last order",
    severity: "important" as const,
    category: "correctness",
    files: [{ path, line: 42 }],
    evidence: "expected 3, got 2",
  };
}

async function foundBy({ client }: ScratchAgent): Promise<{ readonly id: FindingId }> {
  return { id: (await client.call("finding.add", aFinding(`fresh/fresh-${number()}.ts`))).finding.id };
}

async function incident({ daemon }: AgreementWorld): Promise<{ readonly id: IncidentId; readonly why: string }> {
  const component = `fresh-${number()}`;
  const failure = { kind: "tool", component, outcome: "failed", error: `${component} is broken` } as const;
  await daemon.user.call("health.report", { reports: [failure, failure, failure, failure] });
  const { items } = await daemon.user.call("incident.list", {});
  return { id: items.find(({ components }) => components[0]!.includes(component))!.id, why: "mended" };
}

async function keptBy({ client }: ScratchAgent): Promise<{ readonly id: string }> {
  return { id: (await client.call("history.store", { title: "A note" })).entry.id };
}

async function savedBy({ client }: ScratchAgent): Promise<{ readonly id: string }> {
  return { id: (await client.call("history.snapshot", {})).snapshot.id };
}

function onHistory(input: Readonly<Record<string, unknown>>, invalid: Readonly<Record<string, unknown>>): Cases {
  return {
    ok: ({ heron }) => ({ input, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { ...input, ...invalid }, sender: by(heron) }),
    "session.not-found": ({ heron }) => ({ input: { ...input, session: `ses_${nobody}` }, sender: by(heron) }),
  };
}

function onPartition(input: Readonly<Record<string, unknown>>): Cases {
  return {
    ok: ({ heron }) => ({ input, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { session: "nope" }, sender: by(heron) }),
    "session.not-found": ({ heron }) => ({ input: { session: `ses_${nobody}` }, sender: by(heron) }),
    "caller.denied": ({ heron }) => ({ input: { session: "default" }, sender: by(heron) }),
  };
}

function onEntry(input: Readonly<Record<string, unknown>>): Cases {
  return {
    ok: {
      ways: allButMcp,
      prepare: async ({ heron }) => ({ input: { ...input, ...(await keptBy(heron)) }, sender: by(heron) }),
    },
    "input.invalid": ({ heron }) => ({ input: { ...input, id: "x".repeat(61) }, sender: by(heron) }),
    "entry.not-found": ({ heron }) => ({ input: { ...input, id: `ent_${nobody}` }, sender: by(heron) }),
    "caller.denied": async ({ daemon, heron }) => {
      const entry = { title: "A note", session: "default" as const };
      const { id } = (await daemon.user.call("history.store", entry)).entry;
      return { input: { ...input, id }, sender: by(heron) };
    },
  };
}

function findingErrors(input: Readonly<Record<string, unknown>>): Partial<Record<ErrorCode, Case>> {
  return {
    "input.invalid": ({ heron }) => ({ input: { ...input, id: "nope" }, sender: by(heron) }),
    "finding.not-found": ({ heron }) => ({ input: { ...input, id: `fnd_${nobody}` }, sender: by(heron) }),
    "caller.denied": async ({ heron, crow }) => ({ input: { ...input, ...(await foundBy(crow)) }, sender: by(heron) }),
  };
}

function register(name: string, path: string, parent?: string): PreparedCall {
  const own = { sessionKey: `key-${number()}`, client: "codex", pid: process.pid };
  const input = { ...own, project: { path }, name, capabilities: ["lang:ts"] };
  return { input: parent === undefined ? input : { ...input, parent }, sender: user };
}

function onItem({ id }: WorkItem, agent: ScratchAgent): PreparedCall {
  return { input: { id }, sender: by(agent) };
}

async function onItemByEnded({ heron, ended }: AgreementWorld): Promise<PreparedCall> {
  return { input: { id: (await itemOf(heron)).id }, sender: { actAs: ended.agent.id } };
}

function onRun(id: RunId, { heron }: AgreementWorld, other: Readonly<Record<string, unknown>> = {}): PreparedCall {
  return { input: { id, ...other }, sender: by(heron) };
}

/** A run whose plan waits for approval. */
async function onWaitingRun(
  world: AgreementWorld,
  other: Readonly<Record<string, unknown>> = {},
  terms: Parameters<typeof startRun>[1] = {},
): Promise<PreparedCall> {
  return onRun((await waitingApproval(await startRun(world, terms), world)).run, world, other);
}

/** The command takes the changes from a file. */
function withoutCommand(cases: Partial<Record<ErrorCode, Case>>): Partial<Record<ErrorCode, Case>> {
  return Object.fromEntries(
    Object.entries(cases).map(([code, prepare]) => [code, { ways: quickWays, prepare: prepare as Prepare }]),
  );
}

function runErrors(
  impossible?: "cancelledRun" | "discardedRun",
  other: Readonly<Record<string, unknown>> = {},
  sender?: PreparedCall["sender"],
): Partial<Record<ErrorCode, Case>> {
  return {
    "input.invalid": ({ heron }) => ({ input: { id: "nope", ...other }, sender: sender ?? by(heron) }),
    "run.not-found": ({ heron }) => ({ input: { id: `run_${nobody}`, ...other }, sender: sender ?? by(heron) }),
    "caller.denied": ({ crow, cancelledRun }) => ({ input: { id: cancelledRun, ...other }, sender: by(crow) }),
    ...(impossible === undefined
      ? {}
      : {
          "run.not-possible": (world: AgreementWorld) => ({
            ...onRun(world[impossible], world, other),
            ...(sender === undefined ? {} : { sender }),
          }),
        }),
  };
}

/** A session of the agent that asks, in the state that is wanted. */
async function onSession(
  { heron }: AgreementWorld,
  state: "created" | "active" | "paused" | "completed",
  input: Readonly<Record<string, unknown>> = {},
): Promise<PreparedCall> {
  const { id } = (await heron.client.call("session.create", { name: "fresh" })).session;
  if (state !== "created") await heron.client.call("session.resume", { id });
  if (state === "paused") await heron.client.call("session.pause", { id });
  if (state === "completed") await heron.client.call("session.close", { id });
  return { input: { id, ...input }, sender: by(heron) };
}

/** Of what changes notes and preferences. */
function valueErrors(bad: Readonly<Record<string, unknown>>, good: Readonly<Record<string, unknown>>) {
  return {
    ...restErrors,
    "input.invalid": (world: AgreementWorld) => onSession(world, "active", bad),
    "session.not-found": ({ heron }: AgreementWorld) => ({
      input: { id: `ses_${nobody}`, ...good },
      sender: by(heron),
    }),
    "session.not-possible": (world: AgreementWorld) => onSession(world, "completed", good),
  };
}

const rejection = { decision: "reject", reason: "not today" };

/** A graph that starts no process: its first node waits for an approval. */
function graph({ daemon, heron }: AgreementWorld, other: Readonly<Record<string, unknown>> = {}): PreparedCall {
  const nodes = { gate: { run: ["true"], approve: true }, later: { run: ["true"], dependsOn: ["gate"] } };
  return { input: { name: "gate", nodes, project: { path: daemon.repository }, ...other }, sender: by(heron) };
}

const endedDags = new WeakMap<AgreementWorld, Promise<DagId>>();

async function freshDag(world: AgreementWorld): Promise<DagId> {
  const { user: client } = world.daemon;
  const { dag } = await client.call("dag.run", graph(world).input as never);
  await until("it waits", async () => (await client.call("dag.show", { id: dag.id })).dag.status === "waiting");
  return dag.id;
}

async function endedDag(world: AgreementWorld): Promise<DagId> {
  const ended = endedDags.get(world) ?? freshDag(world);
  endedDags.set(world, ended);
  const id = await ended;
  await world.daemon.user.call("dag.cancel", { id, reason: "not needed" }).catch(() => {}); // it was, by another case
  return id;
}

async function onFreshDag(world: AgreementWorld, other: Readonly<Record<string, unknown>> = {}): Promise<PreparedCall> {
  return { input: { id: await freshDag(world), ...other }, sender: by(world.heron) };
}

/** On a run that rests with its session. */
async function onRestingDag(
  world: AgreementWorld,
  other: Readonly<Record<string, unknown>> = {},
): Promise<PreparedCall> {
  const { user: client } = world.daemon;
  const id = await freshDag(world);
  await client.call("session.pause", { id: (await client.call("dag.show", { id })).dag.session });
  return { input: { id, ...other }, sender: by(world.heron) };
}

/** On a run that was cancelled; on a fresh one where the call changes it. */
async function onDag(
  world: AgreementWorld,
  other: Readonly<Record<string, unknown>> = {},
  which: "ended" | "fresh" = "ended",
): Promise<PreparedCall> {
  const id = which === "ended" ? await endedDag(world) : await freshDag(world);
  if (which === "fresh") await world.daemon.user.call("dag.cancel", { id });
  return { input: { id, ...other }, sender: by(world.heron) };
}

function dagErrors(
  impossible?: "ended" | "waiting",
  other: Readonly<Record<string, unknown>> = {},
  sender?: Sender,
): Partial<Record<ErrorCode, Case>> {
  const as = (agent: ScratchAgent): Sender => sender ?? by(agent);
  const cases: Partial<Record<ErrorCode, Prepare>> = {
    "input.invalid": ({ heron }) => ({ input: { id: "nope", ...other }, sender: as(heron) }),
    "dag.not-found": ({ heron }) => ({ input: { id: `dag_${nobody}`, ...other }, sender: as(heron) }),
    "caller.denied": async (world) => ({ input: { id: await endedDag(world), ...other }, sender: by(world.crow) }),
    ...(impossible === undefined
      ? {}
      : {
          "dag.not-possible": async (world: AgreementWorld) => ({
            input: { id: await (impossible === "ended" ? endedDag(world) : freshDag(world)), ...other },
            sender: as(world.heron),
          }),
        }),
  };
  return Object.fromEntries(Object.entries(cases).map(([code, prepare]) => [code, { ways: quickWays, prepare }]));
}

function rehearsal({ daemon, heron }: AgreementWorld, other: Readonly<Record<string, unknown>> = {}): PreparedCall {
  const project = { path: daemon.repository };
  const input = { request: "Add a discount", project, rehearse: sampleScenario, ...other };
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return { input: Object.fromEntries(given), sender: by(heron) };
}

function addedNotes({ heron }: AgreementWorld, other: Readonly<Record<string, unknown>> = {}): PreparedCall {
  const location = join(heron.agent.tree, `fresh-${number()}.md`);
  writeFileSync(location, "# Leases\n\nA lease of the shop ends after 300 seconds.\n");
  return { input: { location, ...other }, sender: by(heron) };
}

function researchModelErrors(field: "question" | "topic") {
  const asked = async (world: AgreementWorld, other: Readonly<Record<string, unknown>>): Promise<PreparedCall> => {
    await world.heron.client.call("research.add", addedNotes(world).input as { location: string });
    return { input: { [field]: "shop lease vs lease of the shop", ...other }, sender: by(world.heron) };
  };
  return {
    "provider.missing": async (world: AgreementWorld) => {
      await removeProviders(world);
      return asked(world, { model: true });
    },
    "provider.not-found": (world: AgreementWorld) => asked(world, { provider: "nobody" }),
    "scenario.invalid": (world: AgreementWorld) => asked(world, { rehearse: "/nowhere/at/all.yaml" }),
    "role.unavailable": { notAsked: "needs a model that fails; the flow of research has one" },
    "agent.unknown-project": { notAsked: "every way in of this test names a project" },
  };
}

function question({ daemon, heron }: AgreementWorld, other: Readonly<Record<string, unknown>>): PreparedCall {
  return {
    input: { input: "@to:archivalist what?", project: { path: daemon.repository }, ...other },
    sender: by(heron),
  };
}

async function removeProviders({ daemon: { user: client } }: AgreementWorld): Promise<void> {
  for (const { name } of (await client.call("provider.list", {})).items) await client.call("provider.remove", { name });
}

function decide(id: string, sender: Sender): PreparedCall {
  return { input: { id, decision: "reject", reason: "not now" }, sender };
}

function reservationCases(): Cases {
  return {
    ok: async ({ otter }) => ({ input: { id: await reservedBy(otter) }, sender: by(otter) }),
    "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
    "reservation.not-found": ({ heron }) => ({ input: { id: `rsv_${nobody}` }, sender: by(heron) }),
    "lease.lost": async ({ otter }) => {
      const id = await reservedBy(otter);
      await otter.client.call("reservation.release", { id });
      return { input: { id }, sender: by(otter) };
    },
    "caller.denied": async ({ heron, otter }) => ({ input: { id: await reservedBy(otter) }, sender: by(heron) }),
  };
}

/** Always the same path: its holder is given the same reservation, or a new one after it was given back. */
async function reservedBy({ client }: ScratchAgent): Promise<ReservationId> {
  return (await client.call("reservation.acquire", { paths: ["fresh/fresh-0.ts"] })).reservation.id;
}

async function releasedBy(agent: ScratchAgent): Promise<ReservationId> {
  const id = await reservedBy(agent);
  await agent.client.call("reservation.release", { id });
  return id;
}

/** A file that an agent's tool has just written: two versions. */
async function rewritten({ agent, client }: ScratchAgent): Promise<string> {
  const path = `fresh-${number()}.ts`;
  writeFileSync(join(agent.tree, path), "export const first = 1;\n");
  await client.call("guard.write", { paths: [path] });
  writeFileSync(join(agent.tree, path), "export const second = 2;\n");
  await client.call("guard.used", { wrote: [path] });
  return path;
}

function treeErrors(input: Readonly<Record<string, unknown>>) {
  return {
    "project.not-found": ({ heron }: AgreementWorld) => ({
      input: { ...input, tree: "/nowhere/at/all" },
      sender: by(heron),
    }),
    "caller.denied": ({ heron, crow }: AgreementWorld) => ({
      input: { ...input, tree: crow.agent.tree },
      sender: by(heron),
    }),
  };
}

function ownerCases(): Cases {
  return {
    ok: async ({ otter }) => onItem(await itemOf(otter, "claimed"), otter),
    "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
    "work-item.not-found": ({ heron }) => ({ input: { id: `wrk_${nobody}` }, sender: by(heron) }),
    "lease.lost": async ({ heron }) => onItem(await itemOf(heron), heron),
    "caller.denied": async ({ heron, crow }) => onItem(await itemOf(crow), heron),
  };
}

/** The same situations, asked with something to say. */
function withNote(cases: Cases, said: Readonly<Record<string, unknown>>): Cases {
  const saying = (prepare: Prepare): Prepare => {
    return async (world) => {
      const { input, sender } = await prepare(world);
      return { input: { ...input, ...said }, sender };
    };
  };
  return Object.fromEntries(Object.entries(cases).map(([name, how]) => [name, saying(how as Prepare)])) as Cases;
}

async function itemOf(
  { client }: ScratchAgent,
  state: "open" | "claimed" | "closed" | "blocked" = "open",
): Promise<WorkItem> {
  const dependsOn: WorkItemId[] = state === "blocked" ? [(await itemOf({ client } as ScratchAgent)).id] : [];
  const { workItem } = await client.call("work-item.create", { title: "Rate-limit POST /orders", dependsOn });
  if (state === "claimed") {
    await giveUpOthers(client);
    return (await client.call("work-item.claim", { id: workItem.id })).workItem;
  }
  if (state === "closed") return (await client.call("work-item.close", { id: workItem.id, reason: "done" })).workItem;
  return workItem;
}

/** An agent holds three claims at the most; what an earlier case left behind is given back. */
async function giveUpOthers(client: ScratchAgent["client"]): Promise<void> {
  const { items } = await client.call("work-item.list", { status: "in_progress" });
  const otters = items.filter(({ owner }) => owner?.name === "otter");
  for (const { id } of otters) await client.call("work-item.close", { id });
}

/** A fresh agent whose hold went to somebody else since. */
async function loserOf(path: string, daemon: ScratchDaemon, winner: ScratchAgent): Promise<ScratchAgent> {
  const loser = await daemon.register(`fresh-${number()}`);
  for (const { client } of [loser, winner]) {
    const { reservation } = await client.call("reservation.acquire", { paths: [path] });
    await client.call("reservation.release", { id: reservation.id });
  }
  return loser;
}

/** A model gets the code fenced. */
function codeCases(good: PreparedCall["input"], bad: PreparedCall["input"]): Cases {
  const asked = (input: PreparedCall["input"]) => (world: AgreementWorld) => ({ input, sender: by(world.heron) });
  const elsewhere = (tree: (world: AgreementWorld) => string) => (world: AgreementWorld) => ({
    input: { ...good, tree: tree(world) },
    sender: by(world.heron),
  });
  return {
    ok: { ways: allButMcp, prepare: asked(good) },
    "input.invalid": asked(bad),
    "project.not-found": elsewhere(() => "/nowhere/at/all"),
    "caller.denied": elsewhere(({ bareFolder }) => bareFolder),
    "agent.unknown-project": { notAsked: "every way in of this test names a project" },
    "workspace.unavailable": { notAsked: "needs a project without git; the flow of the code index has one" },
  };
}
