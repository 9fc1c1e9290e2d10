/** One call with --json for every command of the table, each in a situation where it succeeds. */
import { expect } from "vitest";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DagId, RunId } from "../../src/contract/index.ts";
import { changed } from "./commit-situations.ts";
import { mainScript, startProcess, type SylkRun } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { cancelRun, provider, startRun, waitingApproval } from "./rehearsed-runs.ts";
import { finish, plan, work } from "./scenario-turns.ts";
import { openScratchHome, writeTree } from "./scratch-home.ts";
import { until } from "./until.ts";

export type Situation = { readonly daemon: ScratchDaemon; readonly heron: ScratchAgent };
type Outcome = SylkRun & { readonly form?: "one value" | "lines" };
type JsonRun = (situation: Situation) => Promise<Outcome>;

let number = 0;

export const jsonRuns: Readonly<Record<string, JsonRun>> = {
  up: plain("up"),
  status: plain("status"),
  doctor: plain("doctor"),
  dashboard: plain("dashboard"),
  "config show": plain("config show"),
  "config get": plain("config get http.port"),
  "config set": plain("config set log.keep 3"),
  "config unset": plain("config unset log.keep"),
  "config trust": async ({ daemon }) => {
    const cwd = daemon.addRepository(`trusted-${++number}`);
    writeTree(cwd, { ".sylk/config.yaml": "guard:\n  policy: strict\n" });
    return daemon.sylk(["config", "trust", "--json"], { cwd });
  },
  "config distrust": plain("config distrust"),
  "mcp url": plain("mcp url"),
  who: plain("who"),
  top: plain("top"),
  ready: plain("ready"),
  research: plain("research why"),
  "research add": withNotes((file) => ["research", "add", file]),
  "research sources": plain("research sources"),
  "research check": plain("research check nothing"),
  "research examples": plain("research examples nothing"),
  "research paper": plain("research paper nothing"),
  "research compare": async ({ daemon }) => daemon.sylk(["research", "compare", "leases vs locks", "--json"]),
  "research remove": async ({ daemon }) => {
    const added = await withNotes((file) => ["research", "add", file])({ daemon } as Situation);
    const { source } = JSON.parse(added.stdout) as { source: { id: string } };
    return daemon.sylk(["research", "remove", source.id, "--json"]);
  },
  events: plain("events"),
  reservations: plain("reservations"),
  "work list": plain("work list"),
  logs: async ({ daemon }) => ({ ...(await daemon.sylk(["logs", "--json"])), form: "lines" }),
  down: async () => {
    await using daemon = await openScratchDaemon({ commands: "as processes" });
    return await daemon.sylk(["down", "--json"]);
  },
  serve: async () => {
    await using home = openScratchHome();
    const serving = home.start(["serve", "--http-port", "0", "--json"]);
    await until("it has said where", () => serving.output().endsWith("}\n"));
    process.kill(serving.pid, "SIGTERM");
    return await serving.ended;
  },
  mcp: async ({ daemon }) => {
    const { env, repository: cwd } = daemon;
    const serving = startProcess(process.execPath, [mainScript, "mcp", "--json"], { env, cwd, input: "pipe" });
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "flows", version: "1" } };
    serving.child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    await once(serving.child.stdout!, "data");
    serving.child.stdin!.end();
    return { ...(await serving.ended), form: "lines" };
  },
  completion: async ({ daemon }) => daemon.sylk(["completion", "bash", "--json"]),
  "agent register": async ({ daemon }) =>
    daemon.sylk(["agent", "register", "--session-key", `json-${++number}`, "--client", "other", "--json"]),
  "agent show": async ({ daemon, heron }) => daemon.sylk(["agent", "show", heron.agent.id, "--json"]),
  "agent heartbeat": async ({ daemon, heron }) => daemon.sylk(["agent", "heartbeat", heron.agent.id, "--json"]),
  "agent handoff": async ({ daemon, heron }) => daemon.sylk(["agent", "handoff", heron.agent.id, "--json"]),
  heartbeat: async ({ daemon, heron }) => daemon.sylk(["heartbeat", heron.agent.id, "--json"]),
  "agent end": async ({ daemon }) => {
    const { agent } = await daemon.register(`json-${++number}`);
    return daemon.sylk(["agent", "end", agent.id, "--json"]);
  },
  reserve: async ({ daemon }) => daemon.sylk(["reserve", `json/${++number}.ts`, "--json"]),
  renew: onReservation("renew"),
  free: onReservation("free"),
  wait: async ({ daemon, heron }) => {
    const id = await heldBy(heron);
    await heron.client.call("reservation.release", { id });
    return daemon.sylk(["wait", id, "--json"]);
  },
  install: plain("install claude-code --dry-run"),
  uninstall: plain("uninstall claude-code --dry-run"),
  upgrade: plain("upgrade --dry-run"),
  "guard start": async ({ daemon }) =>
    daemon.sylk(["guard", "start", "--session-key", `json-${++number}`, "--client", "claude-code", "--json"]),
  "guard write": async ({ daemon }) => daemon.sylk(["guard", "write", `json/${++number}.ts`, "--json"]),
  "guard used": async ({ daemon }) => daemon.sylk(["guard", "used", "--read", "src/cart.ts", "--json"]),
  "guard confine": plain("guard confine"),
  "file history": onRewrittenFile("file", "history"),
  "file diff": onRewrittenFile("file", "diff"),
  "file restore": onRewrittenFile("file", "restore"),
  undo: onRewrittenFile("undo"),
  "guard commit": plain("guard commit src/cart.ts"),
  check: plain("check src/cart.ts"),
  negotiate: async ({ daemon, heron }) => daemon.sylk(["negotiate", await heldBy(heron), "--json"]),
  "negotiate answer": async ({ daemon, heron }) => {
    const id = await heldBy(heron);
    await (await daemon.register(`json-${++number}`)).client.call("reservation.ask", { id });
    return daemon.sylk(["negotiate", "answer", id, "acknowledge", "--json"], { env: { SYLK_TOKEN: heron.token } });
  },
  "reservations stats": plain("reservations stats"),
  commit: async ({ daemon }) => {
    const file = changed(daemon.repository, "json-run.ts");
    return daemon.sylk(["commit", file, "-m", "One more", "--dry-run", "--json"]);
  },
  "commit announce": plain("commit announce 4c2a1f0 src/cart.ts"),
  "commit catch-up": plain("commit catch-up"),
  cost: plain("cost"),
  statusline: plain("statusline"),
  "index on": plain("index on"),
  "index off": plain("index off"),
  "worktree add": plain("worktree add"),
  "worktree list": plain("worktree list"),
  "worktree remove": async ({ daemon }) => {
    await daemon.sylk(["worktree", "add", "json"]);
    return daemon.sylk(["worktree", "remove", "json", "--json"]);
  },
  "branch merge": plain("branch merge main"),
  "branch sync": plain("branch sync main"),
  simulate: plain("simulate --agents 1 --minutes 1"),
  "work add": async ({ daemon }) => daemon.sylk(["work", "add", "From the command line", "--json"]),
  "work show": onItem("work show"),
  claim: onItem("claim"),
  unclaim: onItem("unclaim", { claimed: true }),
  release: onItem("release", { claimed: true }),
  close: onItem("close"),
  "mail send": async ({ daemon }) => daemon.sylk(["mail", "send", "From the command line", "--to", "heron", "--json"]),
  "mail inbox": plain("mail inbox"),
  "mail everywhere": plain("mail everywhere"),
  "mail search": plain("mail search anything"),
  "mail show": onMessage("mail show"),
  "mail ack": onMessage("mail ack"),
  "mail overdue": plain("mail overdue"),
  "mail subscribe": plain("mail subscribe api/orders"),
  "mail policy": plain("mail policy"),
  "finding add": plain("finding add Slow --category performance --severity important --files src/cart.ts:7"),
  "finding list": plain("finding list"),
  "finding show": onFinding("finding show"),
  "finding mark": onFinding("finding mark", ["accepted", "--why", "reproduced"]),
  "finding investigate": plain("finding investigate slowness"),
  "finding promote": onFinding("finding promote"),
  health: plain("health"),
  "health report": plain("health report tool Edit ok --ms 3"),
  "health greeting": plain("health greeting"),
  companions: plain("companions"),
  "incident list": plain("incident list --all"),
  async "incident resolve"({ daemon }) {
    const failure = { kind: "tool", component: "json", outcome: "failed", error: "broken pipe" } as const;
    await daemon.user.call("health.report", { reports: [failure, failure, failure, failure] });
    const { items } = await daemon.user.call("incident.list", {});
    return daemon.sylk(["incident", "resolve", items[0]!.id, "--json"]);
  },
  handoff: onItem("handoff"),
  "work update": onItem("work update", { more: ["--priority", "0"] }),
  "work progress": onItem("work progress", { claimed: true, more: ["half of it"] }),
  "work stuck": onItem("work stuck", { claimed: true, more: ["no answer"] }),
  "work notices": plain("work notices"),
  "work import": async ({ daemon }) => {
    writeTree(daemon.repository, { "issues.jsonl": '{"id":"bd-1","title":"From a file"}\n' });
    return daemon.sylk(["work", "import", "issues.jsonl", "--json"]);
  },
  "work export": async ({ daemon }) => daemon.sylk(["work", "export", "issues-out.jsonl", "--json"]),
  runs: plain("runs"),
  approvals: plain("approvals"),
  history: plain("history"),
  "history store": async ({ daemon }) => daemon.sylk(["history", "store", "Round prices to whole cents", "--json"]),
  "history show": onEntry("history show"),
  "history mark": onEntry("history mark", ["keep"]),
  "history sessions": plain("history sessions"),
  "history timeline": plain("history timeline"),
  "history workflows": plain("history workflows"),
  "history similar": plain("history similar discount"),
  "history savings": plain("history savings"),
  "history compact": plain("history compact --dry-run"),
  "history snapshot": plain("history snapshot"),
  "history restore": async ({ daemon }) => {
    const { snapshot } = await daemon.user.call("history.snapshot", { session: "default" });
    return daemon.sylk(["history", "restore", snapshot.id, "--json"]);
  },
  "history use": plain("history use"),
  brief: plain("brief micro"),
  "history promote": onEntry("history promote", ["--reason", "all should know"]),
  id: plain("id heron"),
  find: plain("find total"),
  search: plain("search total"),
  symbols: plain("symbols total"),
  usages: plain("usages total"),
  dependents: plain("dependents node:fs"),
  outline: plain("outline ."),
  files: plain("files *"),
  map: plain("map"),
  drift: plain("drift --since HEAD"),
  definition: plain("definition src/checkout.ts:1:14"),
  references: plain("references src/checkout.ts:1:14"),
  "language-servers": plain("language-servers"),
  "scip list": plain("scip list"),
  tools: plain("tools"),
  "audit list": plain("audit list"),
  "audit verify": plain("audit verify"),
  "project list": plain("project list"),
  "project forget": async ({ daemon }) => {
    const project = daemon.addRepository(`json-${++number}`);
    await daemon.clientOf({ project }).call("run.list", {});
    return daemon.sylk(["project", "forget", project, "--yes", "--json"]);
  },
  backup: plain("backup"),
  restore: async () => {
    await using daemon = await openScratchDaemon({ commands: "as processes" });
    const { file } = await daemon.user.call("store.backup", {});
    return await daemon.sylk(["restore", file, "--yes", "--json"]);
  },
  export: plain("export"),
  purge: async ({ daemon }) => daemon.sylk(["purge", "--before", "30d", "--json"]),
  ask: async ({ daemon }) => daemon.sylk(["ask", "@to:archivalist what did we try?", "--json"]),
  "ask routes": async ({ daemon }) => daemon.sylk(["ask", "routes", "what did we try?", "--json"]),
  "ask metrics": plain("ask metrics"),
  "session list": plain("session list"),
  "session stats": plain("session stats"),
  "session show": onNewSession("show", "created"),
  "session switch": onNewSession("switch", "created"),
  "session resume": onNewSession("resume", "created"),
  "session pause": onNewSession("pause", "active"),
  "session suspend": onNewSession("suspend", "active"),
  "session close": onNewSession("close", "active"),
  "session set": onNewSession("set", "active", "onBlur", "background"),
  "session unset": onNewSession("unset", "active", "onBlur"),
  "session promote": async ({ daemon, heron }) => {
    const { id } = (await heron.client.call("session.create", { name: `json ${++number}` })).session;
    await heron.client.call("session.set", { id, name: "onBlur", value: "pause" });
    return daemon.sylk(["session", "promote", "onBlur", "--session", id, "--json"]);
  },
  "session messages": onNewSession("messages", "active"),
  "session note": onNewSession("note", "active", "ticket", "42"),
  "session new": async ({ daemon }) => daemon.sylk(["session", "new", "From the command line", "--json"]),
  plan: async ({ daemon }) => ({ ...(await daemon.sylk(["plan", "A plan", "--rehearse", "--json"])), form: "lines" }),
  "run show": onCancelledRun("run show"),
  "run clear": plain("run clear"),
  "run watch": async (situation) => ({ ...(await onWaitingRun("watch")(situation)), form: "lines" }),
  "run retry": async (situation) =>
    situation.daemon.sylk([
      "run",
      "retry",
      await cancelRun(await startRun(situation), situation),
      "conclude",
      "--json",
    ]),
  "run pause": onWaitingRun("pause"),
  "run skip": onWaitingRun("skip", "The cart knows discounts", "--treat-as-done"),
  "run answer": onWaitingRun("answer", "reject"),
  "run budget": async (situation) => {
    const id = await cancelRun(await startRun(situation, { budget: 200_000 }), situation);
    return situation.daemon.sylk(["run", "budget", id, "400k", "--reason", "worth it", "--json"]);
  },
  "run adjust": async (situation) => {
    const { run } = await waitingApproval(await startRun(situation), situation);
    const docs = "nodes: { docs: { title: The docs name the discount, prompt: Write docs.md } }\n";
    writeTree(situation.daemon.repository, { "more-work.yaml": docs });
    return situation.daemon.sylk(["run", "adjust", run, "more-work.yaml", "--json"]);
  },
  diff: onCancelledRun("diff"),
  cancel: async (situation) => situation.daemon.sylk(["cancel", await startRun(situation), "--json"]),
  discard: async (situation) =>
    situation.daemon.sylk(["discard", await cancelRun(await startRun(situation), situation), "--json"]),
  approve: async (situation) => {
    const { id } = await waitingApproval(await startRun(situation), situation);
    return situation.daemon.sylk(["approve", id, "--reject", "--json"]);
  },
  reject: async (situation) => {
    const { id } = await waitingApproval(await startRun(situation), situation);
    return situation.daemon.sylk(["reject", id, "--json"]);
  },
  answer: async (situation) => {
    const { id, run } = await waitingQuestion(situation);
    const answered = await situation.daemon.sylk(["answer", id, "in euros", "--json"]);
    await cancelRun(run, situation);
    return answered;
  },
  "skills list": plain("skills list"),
  "skills show": plain("skills show read_file"),
  "skills check": plain("skills check"),
  "skills call": plain("skills call guide_agents"),
  "skills loaded": plain("skills loaded"),
  "skills load": plain("skills load sessions"),
  "skills unload": plain("skills unload sessions"),
  "dag list": plain("dag list"),
  "dag run": async ({ daemon }) => {
    writeTree(daemon.repository, { "graph.yaml": "nodes: { a: { run: [echo, hello] } }\n" });
    return { ...(await daemon.sylk(["dag", "run", "graph.yaml", "--json"])), form: "lines" };
  },
  "dag check": async ({ daemon }) => {
    writeTree(daemon.repository, { "graph.yaml": "nodes: { a: { run: [echo, hello] } }\n" });
    return daemon.sylk(["dag", "check", "graph.yaml", "--json"]);
  },
  "dag watch": async (situation) => {
    const id = await waitingDag(situation);
    await situation.daemon.user.call("dag.answer", { id, node: "gate", decision: "approve" });
    return { ...(await situation.daemon.sylk(["dag", "watch", id, "--json"])), form: "lines" };
  },
  "dag show": onDag("dag show"),
  "dag cancel": onDag("dag cancel"),
  "dag pause": onDag("dag pause"),
  "dag resume": async (situation) => {
    const id = await waitingDag(situation);
    await situation.daemon.user.call("dag.pause", { id });
    return situation.daemon.sylk(["dag", "resume", id, "--json"]);
  },
  "dag retry": async (situation) => {
    const id = await waitingDag(situation);
    await situation.daemon.user.call("dag.cancel", { id });
    return situation.daemon.sylk(["dag", "retry", id, "gate", "--json"]);
  },
  "dag skip": onDag("dag skip", "gate"),
  "dag answer": onDag("dag answer", "gate", "reject"),
  "dag adjust": async (situation) => {
    const id = await waitingDag(situation);
    writeTree(situation.daemon.repository, { "changes.yaml": "nodes: { more: { run: [echo, more] } }\n" });
    return situation.daemon.sylk(["dag", "adjust", id, "changes.yaml", "--json"]);
  },
  "provider list": plain("provider list"),
  "provider add": async ({ daemon }) =>
    daemon.sylk(["provider", "add", `json-${++number}`, "--kind", "openai", "--model", "m", "--key", "k", "--json"]),
  "provider test": unanswered(onProvider("test")),
  "provider remove": onProvider("remove"),
};

/** Commands that need a run, minutes, or a program that is installed: flows of their own call them. */
export const notRunHere: readonly string[] = [
  "demo",
  "run",
  "run feedback",
  "interrupt",
  "resume",
  "merge",
  "negotiate force",
  "hover",
  "scan",
  "diagnostics",
  "scip import",
  "tools install",
  "tools uninstall",
];

/** A provider that does not answer is told by the exit code too. */
function unanswered(run: JsonRun): JsonRun {
  return async (situation) => {
    const { code, ...ended } = await run(situation);
    expect(code).toBe(7);
    return { ...ended, code: 0 };
  };
}

function onNewSession(word: string, state: "created" | "active", ...values: readonly string[]): JsonRun {
  return async ({ daemon, heron }) => {
    const { id } = (await heron.client.call("session.create", { name: `json ${++number}` })).session;
    if (state === "active") await heron.client.call("session.resume", { id });
    const named = values.length === 0 ? [id] : [...values, "--session", id];
    return daemon.sylk(["session", word, ...named, "--json"]);
  };
}

function plain(words: string): JsonRun {
  return ({ daemon }) => daemon.sylk([...words.split(" "), "--json"]);
}

/** A file that an agent has rewritten, with both versions kept. */
function onRewrittenFile(...words: readonly string[]): JsonRun {
  return async ({ daemon, heron: { agent, client } }) => {
    const path = `rewritten-${++number}.ts`;
    writeTree(agent.tree, { [path]: "export const first = 1;\n" });
    await client.call("guard.write", { paths: [path] });
    writeTree(agent.tree, { [path]: "export const second = 2;\n" });
    await client.call("guard.used", { wrote: [path] });
    return daemon.sylk([...words, path, "--as", agent.id, "--json"]);
  };
}

/** Of an Engineer, which the Architect hands on. */
async function waitingQuestion({ daemon }: Situation) {
  const rehearse = join(daemon.root, `asks-${++number}.json`);
  const input = { question: "In which currency?" };
  const turns = [
    plan([{ key: "price" }]),
    { when: { tool: "answer_engineer" }, reply: [{ tool: "clarify", input: { ...input, options: ["euro"] } }] },
    ...work("price", { tool: "request_help", input }, finish()),
  ];
  writeFileSync(rehearse, JSON.stringify({ name: "asks", turns }));
  const terms = { request: "Add prices", project: { path: daemon.repository }, rehearse, approve: true };
  return waitingApproval((await daemon.user.call("run.start", terms)).run.id, { daemon });
}

/** A run whose plan waits for approval. */
function onWaitingRun(verb: string, ...words: readonly string[]): JsonRun {
  return async (situation) => {
    const { run } = await waitingApproval(await startRun(situation), situation);
    return situation.daemon.sylk(["run", verb, run, ...words, "--json"]);
  };
}

function onCancelledRun(words: string): JsonRun {
  return async (situation) => {
    cancelled ??= startRun(situation).then((id) => cancelRun(id, situation));
    return situation.daemon.sylk([...words.split(" "), await cancelled, "--json"]);
  };
}
let cancelled: Promise<RunId> | undefined;

/** Waits for an approval, so that nothing of it runs. */
async function waitingDag({ daemon }: Situation): Promise<DagId> {
  const nodes = { gate: { run: ["true"], approve: true } };
  const { dag } = await daemon.user.call("dag.run", { nodes, project: { path: daemon.repository } });
  await until("it waits", async () => (await daemon.user.call("dag.show", { id: dag.id })).dag.status === "waiting");
  return dag.id;
}

function onDag(words: string, ...rest: readonly string[]): JsonRun {
  return async (situation) =>
    situation.daemon.sylk([...words.split(" "), await waitingDag(situation), ...rest, "--json"]);
}

function onProvider(command: string): JsonRun {
  return async ({ daemon }) => {
    const name = `json-${++number}`;
    await daemon.user.call("provider.add", provider(name));
    return daemon.sylk(["provider", command, name, "--json"]);
  };
}

function onReservation(command: string): JsonRun {
  return async ({ daemon, heron }) =>
    daemon.sylk([command, await heldBy(heron), "--json"], { env: { SYLK_TOKEN: heron.token } });
}

async function heldBy({ client }: ScratchAgent): Promise<string> {
  return (await client.call("reservation.acquire", { paths: [`json/${++number}.ts`] })).reservation.id;
}

function onMessage(words: string): JsonRun {
  return async ({ daemon, heron }) => {
    const { client } = await daemon.register(`json-${++number}`);
    const { message } = await client.call("mail.send", { to: ["heron"], subject: "For the command line" });
    return daemon.sylk([...words.split(" "), message.id, "--json"], { env: { SYLK_TOKEN: heron.token } });
  };
}

function onEntry(words: string, rest: readonly string[] = []): JsonRun {
  return async ({ daemon }) => {
    const { entry } = await daemon.user.call("history.store", { title: `note ${++number}` });
    return daemon.sylk([...words.split(" "), entry.id, ...rest, "--json"]);
  };
}

function onFinding(words: string, rest: readonly string[] = []): JsonRun {
  return async ({ daemon, heron }) => {
    const wanted = { summary: `Number ${++number}`, category: "tests", severity: "important" } as const;
    const { finding } = await heron.client.call("finding.add", wanted);
    return daemon.sylk([...words.split(" "), finding.id, ...rest, "--json"]);
  };
}

function onItem(words: string, { claimed = false, more = [] as readonly string[] } = {}): JsonRun {
  return async ({ daemon }) => {
    const { client, token } = await daemon.register(`json-${++number}`);
    const { workItem } = await client.call("work-item.create", { title: "For the command line" });
    if (claimed) await client.call("work-item.claim", { id: workItem.id });
    return daemon.sylk([...words.split(" "), workItem.id, ...more, "--json"], { env: { SYLK_TOKEN: token } });
  };
}

function withNotes(words: (file: string) => readonly string[]): JsonRun {
  return ({ daemon }) => {
    const file = join(daemon.repository, `notes-${++number}.md`);
    writeFileSync(file, "# Leases\n\nA lease ends after 300 seconds.\n");
    return daemon.sylk([...words(file), "--json"]);
  };
}
