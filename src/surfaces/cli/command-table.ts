/**
 * Every command by its words, with the file that holds it: a command pays for no other command's imports.
 *
 *   words -> row -> load -> the command as its file writes it + its summary -> parse, help, completion, run
 *
 * Summaries come from command-summaries.json, which "npm run generate" makes from the operations and the commands' own,
 * so that the list of commands loads no schema.
 */
import type { Command, WrittenCommand } from "./command.ts";
import { aliases } from "./other-words.ts";
import summaries from "./command-summaries.json" with { type: "json" };

type Group =
  | "Requests"
  | "Code"
  | "The daemon"
  | "Agents"
  | "Files"
  | "Work"
  | "Mail and findings"
  | "Clients"
  | "Data"
  | "More"
  | "Plumbing";

export type CommandWords = keyof typeof summaries;

export type CommandRow = {
  readonly words: string;
  readonly summary: string;
  /** Plumbing is for hooks, clients and scripts: it works, and the reference explains it; no list shows it. */
  readonly group: Group;
  /** The command as its file writes it. */
  written(): Promise<WrittenCommand>;
  load(): Promise<Command>;
};

const from = {
  agents: () => import("./commands/agents.ts"),
  approvals: () => import("./commands/approvals.ts"),
  ask: () => import("./commands/ask.ts"),
  audit: () => import("./commands/audit.ts"),
  branches: () => import("./commands/branches.ts"),
  code: () => import("./commands/code.ts"),
  commits: () => import("./commands/commits.ts"),
  companions: () => import("./commands/companions.ts"),
  completion: () => import("./commands/completion.ts"),
  configEdit: () => import("./commands/config-edit.ts"),
  configShow: () => import("./commands/config-show.ts"),
  cost: () => import("./commands/cost.ts"),
  dag: () => import("./commands/dag.ts"),
  dashboard: () => import("./commands/dashboard.ts"),
  demo: () => import("./commands/demo.ts"),
  doctor: () => import("./commands/doctor.ts"),
  down: () => import("./commands/down.ts"),
  events: () => import("./commands/events.ts"),
  files: () => import("./commands/files.ts"),
  findings: () => import("./commands/findings.ts"),
  guard: () => import("./commands/guard.ts"),
  handoff: () => import("./commands/handoff.ts"),
  health: () => import("./commands/health.ts"),
  history: () => import("./commands/history.ts"),
  historyReports: () => import("./commands/history-reports.ts"),
  historyUpkeep: () => import("./commands/history-upkeep.ts"),
  heartbeat: () => import("./commands/heartbeat.ts"),
  ids: () => import("./commands/ids.ts"),
  indexes: () => import("./commands/indexes.ts"),
  install: () => import("./commands/install.ts"),
  logs: () => import("./commands/logs.ts"),
  mail: () => import("./commands/mail.ts"),
  merge: () => import("./commands/merge.ts"),
  mcp: () => import("./commands/mcp.ts"),
  positions: () => import("./commands/positions.ts"),
  projects: () => import("./commands/projects.ts"),
  providers: () => import("./commands/providers.ts"),
  research: () => import("./commands/research.ts"),
  reservations: () => import("./commands/reservations.ts"),
  restore: () => import("./commands/restore.ts"),
  run: () => import("./commands/run.ts"),
  runs: () => import("./commands/runs.ts"),
  serve: () => import("./commands/serve.ts"),
  sessionValues: () => import("./commands/session-values.ts"),
  sessions: () => import("./commands/sessions.ts"),
  simulate: () => import("./commands/simulate.ts"),
  skills: () => import("./commands/skills.ts"),
  status: () => import("./commands/status.ts"),
  statusline: () => import("./commands/statusline.ts"),
  store: () => import("./commands/store.ts"),
  tools: () => import("./commands/tools.ts"),
  top: () => import("./commands/top.ts"),
  up: () => import("./commands/up.ts"),
  workExchange: () => import("./commands/work-exchange.ts"),
  workItems: () => import("./commands/work-items.ts"),
  worktrees: () => import("./commands/worktrees.ts"),
};

export const commandTable: readonly CommandRow[] = [
  row("Requests", "run", from.run, "runCommand"),
  row("Requests", "plan", from.run, "planCommand"),
  row("Requests", "runs", from.runs, "list"),
  row("Requests", "run show", from.runs, "show"),
  row("Requests", "run watch", from.run, "watch"),
  row("Requests", "run feedback", from.runs, "feedback"),
  row("Requests", "run clear", from.runs, "clear"),
  row("Requests", "run pause", from.runs, "pause"),
  row("Requests", "run retry", from.runs, "retry"),
  row("Requests", "run skip", from.runs, "skip"),
  row("Requests", "run budget", from.runs, "budget"),
  row("Plumbing", "run answer", from.runs, "answer"),
  row("Requests", "run adjust", from.runs, "adjust"),
  row("Requests", "approvals", from.approvals, "approvals"),
  row("Requests", "approve", from.approvals, "approve"),
  row("Requests", "reject", from.approvals, "reject"),
  row("Requests", "answer", from.approvals, "answer"),
  row("Requests", "interrupt", from.runs, "interrupt"),
  row("Requests", "resume", from.runs, "resume"),
  row("Requests", "cancel", from.runs, "cancel"),
  row("Requests", "skills list", from.skills, "list"),
  row("Requests", "skills show", from.skills, "show"),
  row("Requests", "skills check", from.skills, "check"),
  row("Requests", "skills call", from.skills, "call"),
  row("Requests", "skills loaded", from.skills, "loaded"),
  row("Requests", "skills load", from.skills, "load"),
  row("Requests", "skills unload", from.skills, "unload"),
  row("Requests", "diff", from.runs, "diff"),
  row("Requests", "merge", from.merge, "merge"),
  row("Requests", "discard", from.runs, "discard"),
  row("Requests", "dag run", from.dag, "run"),
  row("Requests", "dag check", from.dag, "check"),
  row("Requests", "dag list", from.dag, "list"),
  row("Requests", "dag show", from.dag, "show"),
  row("Requests", "dag watch", from.dag, "watch"),
  row("Requests", "dag cancel", from.dag, "cancel"),
  row("Requests", "dag pause", from.dag, "pause"),
  row("Requests", "dag resume", from.dag, "resume"),
  row("Requests", "dag retry", from.dag, "retry"),
  row("Requests", "dag skip", from.dag, "skip"),
  row("Plumbing", "dag answer", from.dag, "answer"),
  row("Requests", "dag adjust", from.dag, "adjust"),
  row("Requests", "history", from.history, "list"),
  row("Requests", "history store", from.history, "store"),
  row("Requests", "history show", from.history, "show"),
  row("Requests", "history mark", from.history, "mark"),
  row("Requests", "history promote", from.history, "promote"),
  row("Requests", "history sessions", from.historyReports, "sessions"),
  row("Requests", "history timeline", from.historyReports, "timeline"),
  row("Requests", "history workflows", from.historyReports, "workflows"),
  row("Requests", "history similar", from.historyReports, "similar"),
  row("Requests", "history savings", from.historyReports, "savings"),
  row("Requests", "history compact", from.historyUpkeep, "compact"),
  row("Requests", "history snapshot", from.historyUpkeep, "snapshot"),
  row("Requests", "history restore", from.historyUpkeep, "restore"),
  row("Requests", "history use", from.historyUpkeep, "use"),
  row("Requests", "brief", from.historyReports, "brief"),
  row("Requests", "session new", from.sessions, "create"),
  row("Requests", "ask", from.ask, "ask"),
  row("Plumbing", "ask routes", from.ask, "explain"),
  row("Requests", "ask metrics", from.ask, "metrics"),
  row("Requests", "research", from.research, "ask"),
  row("Requests", "research add", from.research, "add"),
  row("Requests", "research sources", from.research, "sources"),
  row("Requests", "research remove", from.research, "remove"),
  row("Requests", "research check", from.research, "check"),
  row("Requests", "research examples", from.research, "examples"),
  row("Requests", "research paper", from.research, "paper"),
  row("Requests", "research compare", from.research, "compare"),
  row("Requests", "session list", from.sessions, "list"),
  row("Requests", "session show", from.sessions, "show"),
  row("Requests", "session switch", from.sessions, "switchTo"),
  row("Requests", "session pause", from.sessions, "pause"),
  row("Requests", "session resume", from.sessions, "resume"),
  row("Requests", "session suspend", from.sessions, "suspend"),
  row("Requests", "session close", from.sessions, "close"),
  row("Requests", "session set", from.sessionValues, "set"),
  row("Requests", "session unset", from.sessionValues, "unset"),
  row("Requests", "session promote", from.sessionValues, "promote"),
  row("Requests", "session note", from.sessionValues, "note"),
  row("Requests", "session messages", from.sessions, "messages"),
  row("Requests", "session stats", from.sessions, "stats"),
  row("Requests", "provider add", from.providers, "add"),
  row("Requests", "provider list", from.providers, "list"),
  row("Requests", "provider test", from.providers, "test"),
  row("Requests", "provider remove", from.providers, "remove"),
  row("Code", "find", from.code, "find"),
  row("Code", "search", from.code, "search"),
  row("Code", "symbols", from.code, "symbols"),
  row("Code", "usages", from.code, "usages"),
  row("Code", "dependents", from.code, "dependents"),
  row("Code", "outline", from.code, "outline"),
  row("Code", "files", from.code, "files"),
  row("Code", "map", from.code, "map"),
  row("Code", "drift", from.code, "drift"),
  row("Code", "scan", from.ask, "scan"),
  row("Code", "hover", from.positions, "hover"),
  row("Code", "definition", from.positions, "definition"),
  row("Code", "references", from.positions, "references"),
  row("Code", "diagnostics", from.positions, "diagnostics"),
  row("Code", "language-servers", from.positions, "servers"),
  row("Code", "scip import", from.positions, "importScip"),
  row("Code", "scip list", from.positions, "listScip"),
  row("The daemon", "up", from.up, "up"),
  row("The daemon", "down", from.down, "down"),
  row("The daemon", "status", from.status, "status"),
  row("Plumbing", "serve", from.serve, "serveCommand"),
  row("The daemon", "dashboard", from.dashboard, "dashboard"),
  row("The daemon", "logs", from.logs, "logs"),
  row("The daemon", "doctor", from.doctor, "doctor"),
  row("The daemon", "health", from.health, "show"),
  row("Plumbing", "health report", from.health, "report"),
  row("Plumbing", "health greeting", from.health, "greeting"),
  row("The daemon", "incident list", from.health, "list"),
  row("The daemon", "incident resolve", from.health, "resolve"),
  row("The daemon", "config show", from.configShow, "configShow"),
  row("The daemon", "config get", from.configEdit, "get"),
  row("The daemon", "config set", from.configEdit, "set"),
  row("The daemon", "config unset", from.configEdit, "unset"),
  row("The daemon", "config trust", from.configShow, "trust"),
  row("The daemon", "config distrust", from.configShow, "distrust"),
  row("Agents", "who", from.agents, "who"),
  row("Agents", "top", from.top, "top"),
  row("Agents", "agent register", from.agents, "register"),
  row("Agents", "agent show", from.agents, "show"),
  row("Plumbing", "agent heartbeat", from.agents, "heartbeat"),
  row("Plumbing", "heartbeat", from.heartbeat, "heartbeat"),
  row("Agents", "agent end", from.agents, "end"),
  row("Agents", "agent handoff", from.agents, "handoff"),
  row("Files", "reserve", from.reservations, "reserve"),
  row("Files", "reservations", from.reservations, "list"),
  row("Files", "reservations stats", from.reservations, "stats"),
  row("Files", "commit", from.commits, "create"),
  row("Plumbing", "commit announce", from.commits, "announce"),
  row("Files", "commit catch-up", from.commits, "catchUp"),
  row("Files", "worktree add", from.worktrees, "create"),
  row("Files", "worktree list", from.worktrees, "list"),
  row("Files", "worktree remove", from.worktrees, "remove"),
  row("Files", "index on", from.indexes, "open"),
  row("Files", "index off", from.indexes, "close"),
  row("Plumbing", "branch merge", from.branches, "merge"),
  row("Files", "branch sync", from.branches, "sync"),
  row("Files", "renew", from.reservations, "renew"),
  row("Files", "wait", from.reservations, "wait"),
  row("Files", "negotiate", from.reservations, "negotiate"),
  row("Files", "negotiate answer", from.reservations, "answer"),
  row("Files", "negotiate force", from.reservations, "force"),
  row("Files", "check", from.reservations, "check"),
  row("Files", "file history", from.files, "history"),
  row("Files", "file diff", from.files, "diff"),
  row("Files", "file restore", from.files, "restore"),
  row("Files", "undo", from.files, "undo"),
  row("Files", "free", from.reservations, "free"),
  row("Files", "tools", from.tools, "list"),
  row("Files", "tools install", from.tools, "install"),
  row("Files", "tools uninstall", from.tools, "uninstall"),
  row("Work", "work add", from.workItems, "add"),
  row("Work", "work list", from.workItems, "list"),
  row("Work", "work show", from.workItems, "show"),
  row("Work", "ready", from.workItems, "ready"),
  row("Work", "claim", from.workItems, "claim"),
  row("Work", "unclaim", from.workItems, "unclaim"),
  row("Work", "release", from.workItems, "release"),
  row("Work", "close", from.workItems, "close"),
  row("Work", "work update", from.workItems, "update"),
  row("Work", "work progress", from.handoff, "progress"),
  row("Work", "work stuck", from.handoff, "stuck"),
  row("Work", "handoff", from.handoff, "handoff"),
  row("Work", "work notices", from.handoff, "notices"),
  row("Work", "work import", from.workExchange, "importFile"),
  row("Work", "work export", from.workExchange, "exportFile"),
  row("Mail and findings", "mail send", from.mail, "send"),
  row("Mail and findings", "mail inbox", from.mail, "inbox"),
  row("Mail and findings", "mail everywhere", from.mail, "everywhere"),
  row("Mail and findings", "mail search", from.mail, "search"),
  row("Mail and findings", "mail show", from.mail, "show"),
  row("Mail and findings", "mail ack", from.mail, "ack"),
  row("Mail and findings", "mail overdue", from.mail, "overdue"),
  row("Mail and findings", "mail subscribe", from.mail, "subscribe"),
  row("Mail and findings", "mail policy", from.mail, "policy"),
  row("Mail and findings", "finding add", from.findings, "add"),
  row("Mail and findings", "finding list", from.findings, "list"),
  row("Mail and findings", "finding show", from.findings, "show"),
  row("Mail and findings", "finding mark", from.findings, "mark"),
  row("Mail and findings", "finding investigate", from.findings, "investigate"),
  row("Mail and findings", "finding promote", from.findings, "promote"),
  row("More", "audit list", from.audit, "list"),
  row("More", "audit verify", from.audit, "verify"),
  row("Clients", "install", from.install, "install"),
  row("Clients", "uninstall", from.install, "uninstall"),
  row("Clients", "upgrade", from.install, "upgrade"),
  row("Clients", "companions", from.companions, "list"),
  row("Plumbing", "guard start", from.guard, "start"),
  row("Plumbing", "guard write", from.guard, "write"),
  row("Plumbing", "guard used", from.guard, "used"),
  row("Plumbing", "guard confine", from.guard, "confine"),
  row("Plumbing", "guard commit", from.guard, "commit"),
  row("Plumbing", "statusline", from.statusline, "statusline"),
  row("Data", "project list", from.projects, "list"),
  row("Data", "project forget", from.projects, "forget"),
  row("Data", "backup", from.store, "backup"),
  row("Data", "restore", from.restore, "restore"),
  row("Data", "export", from.store, "exportCommand"),
  row("Data", "purge", from.store, "purge"),
  row("More", "id", from.ids, "find"),
  row("More", "events", from.events, "events"),
  row("More", "demo", from.demo, "demo"),
  row("More", "cost", from.cost, "cost"),
  row("More", "simulate", from.simulate, "simulate"),
  row("Plumbing", "mcp", from.mcp, "mcp"),
  row("More", "mcp url", from.mcp, "mcpUrl"),
  row("More", "completion", from.completion, "completion"),
];

function row<Name extends string>(
  group: Group,
  words: CommandWords,
  file: () => Promise<Readonly<Record<Name, WrittenCommand>>>,
  name: Name,
): CommandRow {
  const summary = summaries[words];
  const written = async (): Promise<WrittenCommand> => (await file())[name];
  return { group, words, summary, written, load: async () => complete(await written(), { words, summary }) };
}

async function complete(
  { operation: _operation, summary: _summary, isBare: _isBare, explain, ...own }: WrittenCommand,
  listed: Pick<Command, "words" | "summary">,
): Promise<Command> {
  const explained = await explain?.(listed.words);
  return { example: `sylk ${listed.words}`, ...explained, ...own, ...listed };
}

type FoundCommand = {
  readonly row: CommandRow;
  readonly rest: readonly string[];
  /** The word that was typed instead of the command's own. */
  readonly alias?: string;
};

/** The row whose words, or an alias of them, begin the arguments; two words win over one. */
export function findCommand(argv: readonly string[]): FoundCommand | undefined {
  for (const count of [2, 1]) {
    if (argv.length < count) continue;
    const words = argv.slice(0, count).join(" ");
    const row = commandTable.find((candidate) => candidate.words === words);
    if (row !== undefined) return { row, rest: argv.slice(count) };
    const meant = Object.hasOwn(aliases, words) ? aliases[words] : undefined;
    const aliased = commandTable.find((candidate) => candidate.words === meant);
    if (aliased !== undefined) return { row: aliased, rest: argv.slice(count), alias: words };
  }
  return undefined;
}

/** A command as it is typed by an alias: its help says which word is the usual one. */
export async function loadFound({ row, alias }: Pick<FoundCommand, "row" | "alias">): Promise<Command> {
  const command = await row.load();
  if (alias === undefined) return command;
  const details = [`"sylk ${alias}" is another word for "sylk ${row.words}".`, command.details].filter(Boolean);
  return { ...command, details: details.join("\n") };
}
