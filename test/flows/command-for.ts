/** An operation and its input as a person would type them. */
import type { OperationName } from "../../src/contract/index.ts";

type Fields = Readonly<Record<string, unknown>>;
type Typed = {
  readonly words: string;
  readonly positional?: readonly string[];
  /** What the command calls differently than the operation. */
  readonly adjust?: (input: Fields) => Fields;
};

const ofSession = ({ id: session, ...rest }: Fields): Fields => ({ ...rest, session });

const saidYes = ({ dryRun, ...rest }: Fields): Fields => ({ ...rest, yes: dryRun === false });

const commands: Readonly<Record<OperationName, Typed>> = {
  "agent.register": { words: "agent register" },
  "agent.list": { words: "who" },
  "agent.get": { words: "agent show", positional: ["id"] },
  "agent.heartbeat": { words: "agent heartbeat", positional: ["id"] },
  "agent.end": { words: "agent end", positional: ["id"] },
  "agent.handoff": { words: "agent handoff", positional: ["id"] },
  "reservation.acquire": {
    words: "reserve",
    positional: ["paths"],
    adjust: ({ paths = [], patterns = [], mode, ...rest }) => ({
      ...rest,
      paths: [paths, patterns].flat(),
      shared: mode === "shared",
    }),
  },
  "reservation.list": { words: "reservations" },
  "reservation.renew": { words: "renew", positional: ["id"] },
  "reservation.release": { words: "free", positional: ["id"] },
  "reservation.stats": { words: "reservations stats" },
  "commit.create": { words: "commit", positional: ["paths"] },
  "commit.announce": { words: "commit announce", positional: ["commit", "paths"] },
  "commit.catch-up": { words: "commit catch-up" },
  "worktree.create": { words: "worktree add", positional: ["name"] },
  "worktree.list": { words: "worktree list" },
  "worktree.remove": { words: "worktree remove", positional: ["name"] },
  "index.open": { words: "index on" },
  "index.close": { words: "index off" },
  "branch.merge": { words: "branch merge", positional: ["branch"] },
  "branch.sync": { words: "branch sync", positional: ["from"] },
  "reservation.check": { words: "check", positional: ["paths"] },
  "reservation.wait": { words: "wait", positional: ["id"] },
  "reservation.ask": { words: "negotiate", positional: ["id"] },
  "reservation.answer": { words: "negotiate answer", positional: ["id", "decision"] },
  "reservation.force": { words: "negotiate force", positional: ["id"] },
  "file.history": { words: "file history", positional: ["path"] },
  "file.diff": { words: "file diff", positional: ["path"] },
  "file.restore": { words: "file restore", positional: ["path"] },
  "file.undo": { words: "undo", positional: ["paths"] },
  "guard.start": { words: "guard start" },
  "guard.write": { words: "guard write", positional: ["paths"] },
  "guard.used": { words: "guard used" },
  "guard.confine": { words: "guard confine" },
  "guard.commit": { words: "guard commit", positional: ["paths"] },
  "work-item.create": { words: "work add", positional: ["title"] },
  "work-item.list": { words: "work list" },
  "work-item.ready": { words: "ready" },
  "work-item.get": { words: "work show", positional: ["id"] },
  "work-item.claim": { words: "claim", positional: ["id"] },
  "work-item.unclaim": { words: "unclaim", positional: ["id"] },
  "work-item.release": { words: "release", positional: ["id"] },
  "work-item.close": { words: "close", positional: ["id"] },
  "work-item.update": { words: "work update", positional: ["id"] },
  "work-item.progress": { words: "work progress", positional: ["id", "note"] },
  "work-item.stuck": { words: "work stuck", positional: ["id", "reason"] },
  "work-item.handoff": {
    words: "handoff",
    positional: ["id"],
    adjust: ({ answer, ...rest }) => ({ ...rest, accept: answer === "accept", decline: answer === "decline" }),
  },
  "work-item.notices": { words: "work notices" },
  "work-item.import": { words: "work import", positional: ["lines"] },
  /** The command reads page after page by itself. */
  "work-item.export": { words: "work export", adjust: (input) => ({ ...input, limit: undefined, after: undefined }) },
  "mail.send": {
    words: "mail send",
    positional: ["subject"],
    adjust: ({ content, ...rest }) => ({
      ...rest,
      ...(content === undefined ? {} : { content: JSON.stringify(content) }),
    }),
  },
  "mail.inbox": { words: "mail inbox" },
  "mail.everywhere": { words: "mail everywhere" },
  "mail.search": { words: "mail search", positional: ["query"] },
  "mail.get": { words: "mail show", positional: ["id"] },
  "mail.ack": { words: "mail ack", positional: ["id"] },
  "mail.overdue": { words: "mail overdue" },
  "mail.subscribe": { words: "mail subscribe", positional: ["topic"] },
  "mail.policy": { words: "mail policy" },
  "finding.add": {
    words: "finding add",
    positional: ["summary"],
    adjust: ({ files, ...rest }) => ({ ...rest, ...(files === undefined ? {} : { files: placesAsTyped(files) }) }),
  },
  "finding.list": { words: "finding list" },
  "finding.get": { words: "finding show", positional: ["id"] },
  "finding.mark": { words: "finding mark", positional: ["id", "status"] },
  "finding.investigate": { words: "finding investigate", positional: ["topic"] },
  "finding.promote": { words: "finding promote", positional: ["id"] },
  "health.report": {
    words: "health report",
    positional: ["kind", "component", "outcome"],
    adjust: ({ reports, ...rest }) => ({ ...(reports as Fields[])[0], ...rest }),
  },
  "health.show": { words: "health" },
  "health.greeting": { words: "health greeting" },
  "companion.list": { words: "companions" },
  "incident.list": { words: "incident list" },
  "incident.resolve": { words: "incident resolve", positional: ["id"] },
  "session.create": { words: "session new", positional: ["name"] },
  "session.list": { words: "session list" },
  "session.stats": { words: "session stats" },
  "session.get": { words: "session show", positional: ["id"] },
  "session.switch": { words: "session switch", positional: ["id"] },
  "session.pause": { words: "session pause", positional: ["id"] },
  "session.resume": { words: "session resume", positional: ["id"] },
  "session.suspend": { words: "session suspend", positional: ["id"] },
  "session.close": { words: "session close", positional: ["id"] },
  "session.set": { words: "session set", positional: ["name", "value"], adjust: ofSession },
  "session.unset": { words: "session unset", positional: ["name"], adjust: ofSession },
  "session.promote": { words: "session promote", positional: ["name"], adjust: ofSession },
  "session.messages": { words: "session messages", positional: ["id"] },
  "session.note": { words: "session note", positional: ["name", "text"], adjust: ofSession },
  "run.start": { words: "run", positional: ["request"], adjust: ({ approve, ...rest }) => ({ ...rest, yes: approve }) },
  "run.list": { words: "runs" },
  "run.get": { words: "run show", positional: ["id"] },
  "run.interrupt": { words: "interrupt", positional: ["id"] },
  "run.pause": { words: "run pause", positional: ["id"] },
  "run.retry": { words: "run retry", positional: ["id", "node"] },
  "run.skip": { words: "run skip", positional: ["id", "node"] },
  "run.answer": { words: "run answer", positional: ["id", "decision"] },
  "run.resume": { words: "resume", positional: ["id"] },
  "run.cancel": { words: "cancel", positional: ["id"] },
  "run.adjust": {
    words: "run adjust",
    positional: ["id", "file"],
    adjust: ({ nodes: _nodes, remove: _remove, ...rest }) => ({ ...rest, file: "changes.yaml" }),
  },
  "run.diff": { words: "diff", positional: ["id"] },
  "run.merge": { words: "merge", positional: ["id"] },
  "run.discard": { words: "discard", positional: ["id"] },
  "run.budget": { words: "run budget", positional: ["id", "tokens"] },
  "run.feedback": { words: "run feedback", positional: ["id", "text"] },
  "run.clear": { words: "run clear" },
  "dag.run": {
    words: "dag run",
    positional: ["file"],
    adjust: ({ nodes: _nodes, policy: _policy, mode: _mode, environment: _environment, ...rest }) => ({
      ...rest,
      file: "graph.yaml",
    }),
  },
  "dag.check": {
    words: "dag check",
    positional: ["file"],
    adjust: ({ graph: _graph, ...rest }) => ({ ...rest, file: "graph.yaml" }),
  },
  "dag.list": { words: "dag list" },
  "dag.show": { words: "dag show", positional: ["id"] },
  "dag.cancel": { words: "dag cancel", positional: ["id"] },
  "dag.pause": { words: "dag pause", positional: ["id"] },
  "dag.resume": { words: "dag resume", positional: ["id"] },
  "dag.retry": { words: "dag retry", positional: ["id", "node"] },
  "dag.skip": { words: "dag skip", positional: ["id", "node"] },
  "dag.answer": { words: "dag answer", positional: ["id", "node", "decision"] },
  "dag.adjust": {
    words: "dag adjust",
    positional: ["id", "file"],
    adjust: ({ nodes: _nodes, remove: _remove, ...rest }) => ({ ...rest, file: "changes.yaml" }),
  },
  "approval.list": { words: "approvals" },
  "approval.decide": {
    words: "approve",
    positional: ["id"],
    adjust: ({ decision, ...rest }) => ({ ...rest, reject: decision === "reject" }),
  },
  "history.store": {
    words: "history store",
    positional: ["title"],
    adjust: ({ content, ...rest }) => ({
      ...rest,
      ...(content === undefined ? {} : { content: JSON.stringify(content) }),
    }),
  },
  "history.list": { words: "history", positional: ["query"] },
  "history.get": { words: "history show", positional: ["id"] },
  "history.mark": { words: "history mark", positional: ["id", "mark"] },
  "history.promote": { words: "history promote", positional: ["id"] },
  "research.add": { words: "research add", positional: ["location"] },
  "research.sources": { words: "research sources" },
  "research.remove": { words: "research remove", positional: ["id"] },
  "research.ask": { words: "research", positional: ["question"] },
  "research.check": { words: "research check", positional: ["claim"] },
  "research.examples": { words: "research examples", positional: ["topic"] },
  "research.paper": { words: "research paper", positional: ["topic"] },
  "research.compare": { words: "research compare", positional: ["topic"] },
  "history.sessions": { words: "history sessions", positional: ["query"] },
  "history.timeline": { words: "history timeline" },
  "history.workflows": { words: "history workflows" },
  "history.similar": { words: "history similar", positional: ["text"] },
  "history.savings": { words: "history savings" },
  "history.brief": { words: "brief", positional: ["tier"] },
  "history.compact": { words: "history compact" },
  "history.snapshot": { words: "history snapshot" },
  "history.restore": { words: "history restore", positional: ["id"] },
  "history.use": { words: "history use", positional: ["session"] },
  "id.find": { words: "id", positional: ["text"] },
  "code.find": { words: "find", positional: ["text"] },
  "code.search": { words: "search", positional: ["text"] },
  "code.symbols": { words: "symbols", positional: ["name"] },
  "code.usages": { words: "usages", positional: ["symbol"] },
  "code.dependents": { words: "dependents", positional: ["module"] },
  "code.outline": { words: "outline", positional: ["path"] },
  "code.files": { words: "files", positional: ["pattern"] },
  "code.map": { words: "map" },
  "code.drift": { words: "drift", positional: ["path"] },
  "position.hover": { words: "hover", positional: ["place"], adjust: atPlace },
  "position.definition": { words: "definition", positional: ["place"], adjust: atPlace },
  "position.references": { words: "references", positional: ["place"], adjust: atPlace },
  "position.diagnostics": { words: "diagnostics", positional: ["path"] },
  "language-server.list": { words: "language-servers" },
  "scip.import": { words: "scip import", positional: ["file"] },
  "scip.list": { words: "scip list" },
  "ask.send": { words: "ask", positional: ["input"] },
  "ask.routes": { words: "ask routes", positional: ["input"] },
  "ask.metrics": { words: "ask metrics" },
  "skill.list": { words: "skills list" },
  "skill.show": { words: "skills show", positional: ["name"] },
  "skill.check": { words: "skills check", positional: ["path"] },
  "skill.loaded": { words: "skills loaded" },
  "skill.load": { words: "skills load", positional: ["name"] },
  "skill.unload": { words: "skills unload", positional: ["name"] },
  "skill.call": {
    words: "skills call",
    positional: ["name"],
    adjust: ({ input, ...rest }) => ({ ...rest, ...(input === undefined ? {} : { input: JSON.stringify(input) }) }),
  },
  "tool.discover": { words: "tools", positional: ["path"] },
  "tool.install": { words: "tools install", positional: ["tool"], adjust: saidYes },
  "tool.uninstall": { words: "tools uninstall", positional: ["tool"], adjust: saidYes },
  "config.trust": { words: "config trust" },
  "config.distrust": { words: "config distrust" },
  "provider.add": { words: "provider add", positional: ["name"] },
  "provider.list": { words: "provider list" },
  "provider.test": { words: "provider test", positional: ["name"] },
  "provider.remove": { words: "provider remove", positional: ["name"] },
  "ledger.show": {
    words: "cost",
    adjust: ({ since, ...rest }) =>
      since === undefined ? rest : { ...rest, since: new Date(Number(since)).toISOString() },
  },
  "audit.list": { words: "audit list" },
  "audit.verify": { words: "audit verify" },
  "project.list": { words: "project list" },
  "project.forget": { words: "project forget", positional: ["target"] },
  "store.backup": { words: "backup", positional: ["file"] },
  "store.export": {
    words: "export",
    positional: ["file"],
    adjust: ({ only, ...rest }) => (only === undefined ? rest : { ...rest, project: { path: only } }),
  },
  "store.purge": {
    words: "purge",
    adjust: ({ before, dryRun, ...rest }) => ({
      ...rest,
      before: new Date(Number(before)).toISOString(),
      yes: dryRun === false,
    }),
  },
  "event.list": { words: "events" },
  "dashboard.link": { words: "dashboard" },
  "daemon.status": { words: "status" },
  "daemon.examine": { words: "doctor" },
  "daemon.stop": { words: "down" },
};

export function commandFor(name: OperationName, given: Fields): readonly string[] {
  const { words, positional = [], adjust = (input: Fields) => input } = commands[name];
  const input = adjust(given);
  const typed = positional.flatMap((field) => (input[field] === undefined ? [] : textsOf(input[field])));
  const flags = Object.entries(input).filter(([field]) => !positional.includes(field));
  return [...words.split(" "), ...typed, ...flags.flatMap(flagOf)];
}

function flagOf([field, value]: [string, unknown]): readonly string[] {
  if (value === undefined || value === false) return [];
  if (field === "project") return ["--project", typeof value === "string" ? value : (value as { path: string }).path];
  const name = field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return value === true ? [`--${name}`] : textsOf(value).flatMap((text) => [`--${name}`, text]);
}

function placesAsTyped(files: unknown): readonly string[] {
  return (files as { path: string; line?: number }[]).map(({ path, line }) => (line ? `${path}:${line}` : path));
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

function atPlace({ path, line, column, ...rest }: Fields): Fields {
  return { ...rest, place: `${String(path)}:${String(line)}:${String(column)}` };
}
