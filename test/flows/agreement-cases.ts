/**
 * For every operation: a call that succeeds, and one for each error the operation declares. A call gets a fresh thing to
 * work on each time it is prepared, so that every way in finds the same situation.
 *
 * The table is a mapped type: an operation without a row does not compile.
 */
import { join } from "node:path";
import type {
  Approval,
  ErrorCode,
  OperationName,
  ReservationId,
  RunId,
  WorkItem,
  WorkItemId,
} from "../../src/contract/index.ts";
import { cancelRun, provider, sampleScenario, startRun, waitingApproval } from "./rehearsed-runs.ts";
import type { ScratchAgent, ScratchDaemon } from "./scratch-daemon.ts";
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
  readonly rejected: Approval;
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
/** Each of them starts a run. */
const some: readonly WayIn["name"][] = ["HTTP on TCP", "CLI"];
const needsRunUnderWay = { notAsked: "needs a run that is under way at that very moment; the flows of runs have one" };
const needsVerifiedRun = { notAsked: "needs a verified run for every way; the flows of runs merge one" };

export const agreementCases: Readonly<Record<OperationName, Cases>> = {
  "agent.register": {
    ok: ({ daemon }) => register(`fresh-${number()}`, daemon.repository),
    "input.invalid": ({ daemon }) => register("Not A Name", daemon.repository),
    "project.not-found": () => register(`fresh-${number()}`, "/nowhere/at/all"),
  },
  "agent.list": {
    ok: ({ heron }) => ({ input: { status: "active", limit: 50 }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
  },
  "agent.get": {
    ok: ({ heron, otter }) => ({ input: { id: otter.agent.id }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { id: "otter" }, sender: by(heron) }),
    "agent.not-found": ({ heron }) => ({ input: { id: `agt_${nobody}` }, sender: by(heron) }),
    "caller.denied": ({ heron, crow }) => ({ input: { id: crow.agent.id }, sender: by(heron) }),
  },
  "agent.heartbeat": {
    ok: ({ heron }) => ({ input: { id: heron.agent.id }, sender: by(heron) }),
    "input.invalid": () => ({ input: { id: "heron" }, sender: user }),
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
    "agent.ended": ({ ended }) => ({ input: { paths: ["a.ts"] }, sender: { actAs: ended.agent.id } }),
  },
  "reservation.list": {
    ok: ({ heron }) => ({ input: { path: "held/by-otter.ts" }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 501 }, sender: by(heron) }),
  },
  "reservation.renew": reservationCases(),
  "reservation.release": reservationCases(),
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
    "agent.ended": ({ ended }) => ({ input: { title: "Too late" }, sender: { actAs: ended.agent.id } }),
  },
  "work-item.list": {
    ok: ({ heron }) => ({ input: { status: "closed", limit: 2 }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
  },
  "work-item.ready": {
    ok: ({ crow }) => ({ input: { limit: 5 }, sender: by(crow) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
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
    "agent.ended": async ({ heron, ended }) => ({
      input: { id: (await itemOf(heron)).id },
      sender: { actAs: ended.agent.id },
    }),
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
    "caller.denied": async ({ heron, crow }) => onItem(await itemOf(crow), heron),
    "agent.ended": async ({ heron, ended }) => ({
      input: { id: (await itemOf(heron)).id },
      sender: { actAs: ended.agent.id },
    }),
  },
  "session.create": {
    ok: ({ heron }) => ({ input: { name: "checkout" }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { name: "x".repeat(121) }, sender: by(heron) }),
  },
  "session.list": {
    ok: ({ heron }) => ({ input: { limit: 3 }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
  },
  "run.start": {
    // The command follows the run to its end; its last line is tested with the command line.
    ok: { ways: ["HTTP on TCP", "client on unix", "MCP"], prepare: (world) => rehearsal(world) },
    "input.invalid": (world) => rehearsal(world, { request: " " }),
    "project.not-found": (world) => rehearsal(world, { project: { path: "/nowhere/at/all" } }),
    "provider.missing": async (world) => {
      const { user: client } = world.daemon;
      for (const { name } of (await client.call("provider.list", {})).items)
        await client.call("provider.remove", { name });
      return rehearsal(world, { rehearse: undefined });
    },
    "workspace.unavailable": (world) => ({
      ...rehearsal(world, { project: { path: world.bareFolder } }),
      sender: user,
    }),
    "session.not-found": (world) => rehearsal(world, { session: `ses_${nobody}` }),
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
  "run.resume": { ok: needsRunUnderWay, ...runErrors("cancelledRun") },
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
    "workspace.dirty": needsVerifiedRun,
    "workspace.conflict": needsVerifiedRun,
  },
  "run.discard": {
    ok: { ways: some, prepare: async (world) => onRun(await cancelRun(await startRun(world), world), world) },
    ...runErrors("discardedRun"),
  },
  "approval.list": {
    ok: ({ heron, rejected }) => ({ input: { run: rejected.run }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { run: "nope" }, sender: by(heron) }),
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
  },
  "history.list": {
    ok: ({ heron }) => ({ input: { query: "discount", limit: 1 }, sender: by(heron) }),
    "input.invalid": ({ heron }) => ({ input: { limit: 0 }, sender: by(heron) }),
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
    "input.invalid": () => forgetting("/".repeat(4097), user),
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

function register(name: string, path: string): PreparedCall {
  const input = { sessionKey: `key-${number()}`, client: "codex", project: { path }, name, capabilities: ["lang:ts"] };
  return { input, sender: user };
}

function onItem({ id }: WorkItem, agent: ScratchAgent): PreparedCall {
  return { input: { id }, sender: by(agent) };
}

function onRun(id: RunId, { heron }: AgreementWorld): PreparedCall {
  return { input: { id }, sender: by(heron) };
}

function runErrors(impossible?: "cancelledRun" | "discardedRun"): Partial<Record<ErrorCode, Case>> {
  return {
    "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
    "run.not-found": ({ heron }) => ({ input: { id: `run_${nobody}` }, sender: by(heron) }),
    "caller.denied": ({ crow, cancelledRun }) => ({ input: { id: cancelledRun }, sender: by(crow) }),
    ...(impossible === undefined
      ? {}
      : { "run.not-possible": (world: AgreementWorld) => onRun(world[impossible], world) }),
  };
}

function rehearsal({ daemon, heron }: AgreementWorld, other: Readonly<Record<string, unknown>> = {}): PreparedCall {
  const project = { path: daemon.repository };
  const input = { request: "Add a discount", project, rehearse: sampleScenario, ...other };
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return { input: Object.fromEntries(given), sender: by(heron) };
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

function ownerCases(): Cases {
  return {
    ok: async ({ otter }) => onItem(await itemOf(otter, "claimed"), otter),
    "input.invalid": ({ heron }) => ({ input: { id: "nope" }, sender: by(heron) }),
    "work-item.not-found": ({ heron }) => ({ input: { id: `wrk_${nobody}` }, sender: by(heron) }),
    "lease.lost": async ({ heron }) => onItem(await itemOf(heron), heron),
    "caller.denied": async ({ heron, crow }) => onItem(await itemOf(crow), heron),
  };
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
