/**
 * Every command by its words, with what loads it: a command pays for no other command's imports.
 * Summaries stand here too, so that help and completion load nothing; a test keeps them equal to the commands' own.
 */
import type { Command, UnloadedCommand } from "./command.ts";

export type CommandRow = {
  readonly words: string;
  readonly summary: string;
  readonly group: string;
  load(): Promise<Command>;
};

const daemon = "The daemon";
const agents = "Agents";
const files = "Files";
const work = "Work";
const talk = "Mail and findings";
const requests = "Requests";
const clients = "Clients";
const data = "Data";
const more = "More";

export const commandTable: readonly CommandRow[] = [
  row(
    requests,
    "run",
    "Take a request to a verified change: plan, approve, engineers in parallel, checks, fixes",
    async () => (await import("./commands/run.ts")).runCommand,
  ),
  row(
    requests,
    "plan",
    "Plan a request and stop there, until you approve it",
    async () => (await import("./commands/run.ts")).planCommand,
  ),
  row(requests, "runs", "List runs, newest first", async () => (await import("./commands/runs.ts")).list),
  row(
    requests,
    "run show",
    "Show one run: plan, nodes, checks, findings, cost",
    async () => (await import("./commands/runs.ts")).show,
  ),
  row(
    requests,
    "approvals",
    "List what waits for a decision",
    async () => (await import("./commands/runs.ts")).approvals,
  ),
  row(
    requests,
    "approve",
    "Approve, reject or answer what a run asks",
    async () => (await import("./commands/runs.ts")).approve,
  ),
  row(
    requests,
    "interrupt",
    "Pause a run; what is under way is stopped and done again on resume",
    async () => (await import("./commands/runs.ts")).interrupt,
  ),
  row(
    requests,
    "resume",
    "Go on with a paused or interrupted run",
    async () => (await import("./commands/runs.ts")).resume,
  ),
  row(
    requests,
    "cancel",
    "Stop a run for good; what it wrote stays on its branch",
    async () => (await import("./commands/runs.ts")).cancel,
  ),
  row(
    requests,
    "skills list",
    "List the skills of a role with their size and source, and what a text would load and why",
    async () => (await import("./commands/skills.ts")).list,
  ),
  row(
    requests,
    "skills show",
    "Show one skill: what a model is told of it, its parameters, its size and where it comes from",
    async () => (await import("./commands/skills.ts")).show,
  ),
  row(
    requests,
    "skills check",
    "Check SKILL.md folders: every problem with its file and line",
    async () => (await import("./commands/skills.ts")).check,
  ),
  row(
    requests,
    "skills call",
    "Call a skill of a role by its name or by the name of its tool",
    async () => (await import("./commands/skills.ts")).call,
  ),
  row(requests, "diff", "Show what a run changed", async () => (await import("./commands/runs.ts")).diff),
  row(
    requests,
    "merge",
    "Merge a run's change into the user's tree; refuses a dirty one",
    async () => (await import("./commands/runs.ts")).merge,
  ),
  row(
    requests,
    "discard",
    "Put a run's change into quarantine and remove its working tree",
    async () => (await import("./commands/runs.ts")).discard,
  ),
  row(
    requests,
    "dag run",
    "Run a graph of commands and prompts in parallel; it survives a crash of the daemon",
    async () => (await import("./commands/dag.ts")).run,
  ),
  row(requests, "dag list", "List DAG runs, newest first", async () => (await import("./commands/dag.ts")).list),
  row(
    requests,
    "dag show",
    "Show one DAG run: its nodes with state, attempt and error; of one node also its output",
    async () => (await import("./commands/dag.ts")).show,
  ),
  row(
    requests,
    "dag watch",
    "Watch a DAG run until it ends or waits for an answer",
    async () => (await import("./commands/dag.ts")).watch,
  ),
  row(
    requests,
    "dag cancel",
    "End a DAG run for good; what runs is stopped",
    async () => (await import("./commands/dag.ts")).cancel,
  ),
  row(
    requests,
    "dag pause",
    "Start no more nodes of a DAG run until it is resumed",
    async () => (await import("./commands/dag.ts")).pause,
  ),
  row(requests, "dag resume", "Go on with a paused DAG run", async () => (await import("./commands/dag.ts")).resume),
  row(
    requests,
    "dag retry",
    "Run a failed, skipped or cancelled node again, with what was skipped because of it",
    async () => (await import("./commands/dag.ts")).retry,
  ),
  row(
    requests,
    "dag skip",
    "Pass over a node that has not run, waits or failed",
    async () => (await import("./commands/dag.ts")).skip,
  ),
  row(
    requests,
    "dag answer",
    "Answer what a blocked node waits for: approve or reject",
    async () => (await import("./commands/dag.ts")).answer,
  ),
  row(
    requests,
    "dag adjust",
    "Add, replace or remove nodes that have not started, as a new version",
    async () => (await import("./commands/dag.ts")).adjust,
  ),
  row(
    requests,
    "history",
    "Look up what was asked, planned, done, found and spent, newest first",
    async () => (await import("./commands/runs.ts")).history,
  ),
  row(requests, "session new", "Create a session", async () => (await import("./commands/sessions.ts")).create),
  row(
    requests,
    "ask",
    "Ask a question; the Guide takes it to the role that can answer",
    async () => (await import("./commands/ask.ts")).ask,
  ),
  row(
    requests,
    "ask routes",
    "Show whom a question would go to and how every role scores; sends nothing",
    async () => (await import("./commands/ask.ts")).explain,
  ),
  row(
    requests,
    "ask metrics",
    "Show what the Guide routed, by what, and what it could not deliver",
    async () => (await import("./commands/ask.ts")).metrics,
  ),
  row(
    requests,
    "session list",
    "List sessions, newest first",
    async () => (await import("./commands/sessions.ts")).list,
  ),
  row(
    requests,
    "session show",
    "Show one session: state, focus, what it is at, preferences, topics",
    async () => (await import("./commands/sessions.ts")).show,
  ),
  row(
    requests,
    "session switch",
    "Look at another session: it becomes active, and the one looked at before is paused or goes on",
    async () => (await import("./commands/sessions.ts")).switchTo,
  ),
  row(
    requests,
    "session pause",
    "Pause a session and its runs; all it holds is saved first",
    async () => (await import("./commands/sessions.ts")).pause,
  ),
  row(
    requests,
    "session resume",
    "Go on with a paused or suspended session as it was, and with the runs that paused with it",
    async () => (await import("./commands/sessions.ts")).resume,
  ),
  row(
    requests,
    "session suspend",
    "Save a session and take it out of memory; its runs pause",
    async () => (await import("./commands/sessions.ts")).suspend,
  ),
  row(
    requests,
    "session close",
    "End a session: its unfinished runs are cancelled, its topics, timers and subscriptions removed",
    async () => (await import("./commands/sessions.ts")).close,
  ),
  row(
    requests,
    "session set",
    "Set a preference of a session: it holds for what is started there and does not say otherwise",
    async () => (await import("./commands/session-values.ts")).set,
  ),
  row(
    requests,
    "session unset",
    "Take a preference of a session away; one that is promoted to the project holds again",
    async () => (await import("./commands/session-values.ts")).unset,
  ),
  row(
    requests,
    "session promote",
    "Give a session's preference to all sessions of its project, or take it back",
    async () => (await import("./commands/session-values.ts")).promote,
  ),
  row(
    requests,
    "session note",
    "Note something about a session under a name; an empty text removes it",
    async () => (await import("./commands/session-values.ts")).note,
  ),
  row(
    requests,
    "session stats",
    "Count sessions by state, and show the pool: depth of its queues, waiting and running times",
    async () => (await import("./commands/sessions.ts")).stats,
  ),
  row(
    requests,
    "provider add",
    "Configure a model provider, or change one",
    async () => (await import("./commands/providers.ts")).add,
  ),
  row(
    requests,
    "provider list",
    "List configured model providers",
    async () => (await import("./commands/providers.ts")).list,
  ),
  row(
    requests,
    "provider test",
    "Ask a provider for one word, to see that key and model work",
    async () => (await import("./commands/providers.ts")).test,
  ),
  row(
    requests,
    "provider remove",
    "Forget a provider and its key",
    async () => (await import("./commands/providers.ts")).remove,
  ),
  row(daemon, "up", "Start the daemon, or say that it runs", async () => (await import("./commands/up.ts")).up),
  row(
    daemon,
    "down",
    "Finish what is under way and stop the daemon",
    async () => (await import("./commands/down.ts")).down,
  ),
  row(
    daemon,
    "status",
    "Say what the daemon is, where it listens and how its store does",
    async () => (await import("./commands/status.ts")).status,
  ),
  row(
    daemon,
    "serve",
    "Run the daemon in the foreground",
    async () => (await import("./commands/serve.ts")).serveCommand,
  ),
  row(
    daemon,
    "dashboard",
    "Make a link that signs a browser in to the live page, once and within a minute",
    async () => (await import("./commands/dashboard.ts")).dashboard,
  ),
  row(daemon, "logs", "Show the daemon's log", async () => (await import("./commands/logs.ts")).logs),
  row(
    daemon,
    "doctor",
    "Check everything a user can fix, and say how",
    async () => (await import("./commands/doctor.ts")).doctor,
  ),
  row(
    daemon,
    "health",
    "Show how every component does, whose measurement has stopped, and what is unresolved",
    async () => (await import("./commands/health.ts")).show,
  ),
  row(
    daemon,
    "health report",
    "Report how hooks, adapters, tools, agents or providers did; also what went on without its protection",
    async () => (await import("./commands/health.ts")).report,
  ),
  row(
    daemon,
    "health greeting",
    "One line for the start of a session: who else is here, what is unresolved, what could not be found out",
    async () => (await import("./commands/health.ts")).greeting,
  ),
  row(
    daemon,
    "incident list",
    "List incidents, newest first: unresolved ones, or all",
    async () => (await import("./commands/health.ts")).list,
  ),
  row(
    daemon,
    "incident resolve",
    "Say that an incident is over; the next failures make a new one",
    async () => (await import("./commands/health.ts")).resolve,
  ),
  row(
    daemon,
    "config show",
    "Show every setting with its origin",
    async () => (await import("./commands/config-show.ts")).configShow,
  ),
  row(
    agents,
    "who",
    "List live agents, most recently active first; by status, capability or language",
    async () => (await import("./commands/agents.ts")).who,
  ),
  row(
    agents,
    "agent register",
    "Register an agent, or get the same one back by its session key",
    async () => (await import("./commands/agents.ts")).register,
  ),
  row(agents, "agent show", "Show one agent", async () => (await import("./commands/agents.ts")).show),
  row(
    agents,
    "agent heartbeat",
    "Say that an agent is alive (every other call with its token says so too)",
    async () => (await import("./commands/agents.ts")).heartbeat,
  ),
  row(
    agents,
    "heartbeat",
    "Say that an agent is alive, at most once a minute however often it is called; for hooks",
    async () => (await import("./commands/heartbeat.ts")).heartbeat,
  ),
  row(
    agents,
    "agent end",
    "End an agent and its sub-agents: frees what they reserved, returns what they claimed, revokes their tokens",
    async () => (await import("./commands/agents.ts")).end,
  ),
  row(
    agents,
    "agent handoff",
    "Show what an agent leaves to its successor: held, claimed, touched, sub-agents, step in progress",
    async () => (await import("./commands/agents.ts")).handoff,
  ),
  row(
    files,
    "reserve",
    "Reserve paths or globs until a time limit; all of them or none",
    async () => (await import("./commands/reservations.ts")).reserve,
  ),
  row(
    files,
    "reservations",
    "List live reservations, or only those that cover one path",
    async () => (await import("./commands/reservations.ts")).list,
  ),
  row(
    files,
    "reservations stats",
    "Show how often reserved paths change hands, what waiting costs and how often grace helps",
    async () => (await import("./commands/reservations.ts")).stats,
  ),
  row(
    files,
    "commit",
    "Commit paths, built apart from the index that others stage into; without paths, those you reserved",
    async () => (await import("./commands/commits.ts")).create,
  ),
  row(
    files,
    "commit announce",
    "Tell of a commit; only agents that hold or just held one of its paths hear of it",
    async () => (await import("./commands/commits.ts")).announce,
  ),
  row(
    files,
    "commit catch-up",
    "Say what others committed that concerns you and is due now; what you are told counts as done",
    async () => (await import("./commands/commits.ts")).catchUp,
  ),
  row(
    files,
    "worktree add",
    "Get a working tree of your own on a branch of your own, or the one you have of that name",
    async () => (await import("./commands/worktrees.ts")).create,
  ),
  row(
    files,
    "worktree list",
    "List the working trees that agents asked for",
    async () => (await import("./commands/worktrees.ts")).list,
  ),
  row(
    files,
    "worktree remove",
    "Give a working tree back; what is not committed, or on no other branch, is kept by a reference",
    async () => (await import("./commands/worktrees.ts")).remove,
  ),
  row(
    files,
    "index on",
    "Get an index of your own for git add and git commit, or bring the one you have up to date",
    async () => (await import("./commands/indexes.ts")).open,
  ),
  row(
    files,
    "index off",
    "Give your index back; what is staged in it and not committed stays in the files",
    async () => (await import("./commands/indexes.ts")).close,
  ),
  row(
    files,
    "branch merge",
    "Merge a finished branch when its turn comes; a conflict changes nothing and becomes a work item",
    async () => (await import("./commands/branches.ts")).merge,
  ),
  row(
    files,
    "branch sync",
    "Take over what is upstream, damped; a conflict changes nothing and is handed to one agent",
    async () => (await import("./commands/branches.ts")).sync,
  ),
  row(
    files,
    "renew",
    "Extend a reservation by its time limit from now; shortly after its end, take it back",
    async () => (await import("./commands/reservations.ts")).renew,
  ),
  row(
    files,
    "wait",
    "Wait until a reservation has ended",
    async () => (await import("./commands/reservations.ts")).wait,
  ),
  row(
    files,
    "negotiate",
    "Ask the holder of a reservation to release it",
    async () => (await import("./commands/reservations.ts")).negotiate,
  ),
  row(
    files,
    "negotiate answer",
    "Answer those who asked for your reservation: acknowledge, or defer with a time",
    async () => (await import("./commands/reservations.ts")).answer,
  ),
  row(
    files,
    "negotiate force",
    "End a reservation you asked for, after its holder let the time limit pass",
    async () => (await import("./commands/reservations.ts")).force,
  ),
  row(
    files,
    "check",
    "Say for each path whether you may write it now; reserves nothing",
    async () => (await import("./commands/reservations.ts")).check,
  ),
  row(files, "free", "Give a reservation back", async () => (await import("./commands/reservations.ts")).free),
  row(work, "work add", "Add a work item", async () => (await import("./commands/work-items.ts")).add),
  row(work, "work list", "List work items, newest first", async () => (await import("./commands/work-items.ts")).list),
  row(work, "work show", "Show one work item", async () => (await import("./commands/work-items.ts")).show),
  row(
    work,
    "ready",
    "List what can be claimed now, best first",
    async () => (await import("./commands/work-items.ts")).ready,
  ),
  row(
    work,
    "claim",
    "Claim a work item; of any number of racing agents exactly one wins",
    async () => (await import("./commands/work-items.ts")).claim,
  ),
  row(
    work,
    "unclaim",
    "Give up ownership and keep the item's status",
    async () => (await import("./commands/work-items.ts")).unclaim,
  ),
  row(
    work,
    "release",
    "Give up ownership and reopen the item",
    async () => (await import("./commands/work-items.ts")).release,
  ),
  row(work, "close", "Close a work item with a reason", async () => (await import("./commands/work-items.ts")).close),
  row(
    work,
    "work update",
    "Change a work item's text, rank or links, or say that it is blocked; what is not named stays",
    async () => (await import("./commands/work-items.ts")).update,
  ),
  row(
    work,
    "work progress",
    "Say how far a claimed work item is; answers whoever asks whether it still moves",
    async () => (await import("./commands/handoff.ts")).progress,
  ),
  row(
    work,
    "work stuck",
    "Say that a work item does not move; others may then take it over with its handoff record",
    async () => (await import("./commands/handoff.ts")).stuck,
  ),
  row(
    work,
    "handoff",
    "Ask a work item's owner for it, answer such a request, or give an item of one's own to another agent",
    async () => (await import("./commands/handoff.ts")).handoff,
  ),
  row(
    work,
    "work notices",
    "List what an agent should know about its work items, oldest first; give back nextCursor to read on",
    async () => (await import("./commands/handoff.ts")).notices,
  ),
  row(
    work,
    "work import",
    "Take over work items from lines of a beads issues.jsonl; again is harmless, ids and links are kept",
    async () => (await import("./commands/work-exchange.ts")).importFile,
  ),
  row(
    work,
    "work export",
    "Give work items out as lines of a beads issues.jsonl, imported ones in their file's order",
    async () => (await import("./commands/work-exchange.ts")).exportFile,
  ),
  row(
    talk,
    "mail send",
    "Send a message to agents, to a topic or to everyone in the project",
    async () => (await import("./commands/mail.ts")).send,
  ),
  row(
    talk,
    "mail inbox",
    "Read unread mail, oldest first; what came before upTo counts as read from then on",
    async () => (await import("./commands/mail.ts")).inbox,
  ),
  row(
    talk,
    "mail search",
    "Find messages by words, thread or topic, newest first",
    async () => (await import("./commands/mail.ts")).search,
  ),
  row(
    talk,
    "mail show",
    "Show one message, its body from a place on, and who has acknowledged it",
    async () => (await import("./commands/mail.ts")).show,
  ),
  row(talk, "mail ack", "Acknowledge a message", async () => (await import("./commands/mail.ts")).ack),
  row(
    talk,
    "mail overdue",
    "List acknowledgements that are overdue, the oldest first",
    async () => (await import("./commands/mail.ts")).overdue,
  ),
  row(
    talk,
    "mail subscribe",
    "Receive a topic's messages from now on, or no longer",
    async () => (await import("./commands/mail.ts")).subscribe,
  ),
  row(
    talk,
    "mail policy",
    "Say who may write to you: open, auto, contacts or none; without a change, show it",
    async () => (await import("./commands/mail.ts")).policy,
  ),
  row(
    talk,
    "finding add",
    "Publish a finding; the same place and category as a known one makes it one finding",
    async () => (await import("./commands/findings.ts")).add,
  ),
  row(
    talk,
    "finding list",
    "List findings of all agents, newest first; by place, severity, status, thread or run",
    async () => (await import("./commands/findings.ts")).list,
  ),
  row(
    talk,
    "finding show",
    "Show one finding with its evidence and everyone who reported it",
    async () => (await import("./commands/findings.ts")).show,
  ),
  row(
    talk,
    "finding mark",
    "Mark a finding accepted, discarded or fixed, and say why; fixed also closes its work item",
    async () => (await import("./commands/findings.ts")).mark,
  ),
  row(
    talk,
    "finding investigate",
    "Announce what you investigate; tells who is on something similar and what they found so far",
    async () => (await import("./commands/findings.ts")).investigate,
  ),
  row(
    talk,
    "finding promote",
    "Make a work item from a finding; they link to each other, and fixing one updates the other",
    async () => (await import("./commands/findings.ts")).promote,
  ),
  row(
    more,
    "audit list",
    "List privileged acts of this home, newest first",
    async () => (await import("./commands/audit.ts")).list,
  ),
  row(
    more,
    "audit verify",
    "Check that no privileged act was changed or removed after it was written",
    async () => (await import("./commands/audit.ts")).verify,
  ),
  row(
    clients,
    "install",
    "Put hooks into a client and a commit gate into the repository",
    async () => (await import("./commands/install.ts")).install,
  ),
  row(
    clients,
    "uninstall",
    "Take hooks and commit gate out again, without a trace",
    async () => (await import("./commands/install.ts")).uninstall,
  ),
  row(
    clients,
    "upgrade",
    "Bring everything that was installed into clients up to this version",
    async () => (await import("./commands/install.ts")).upgrade,
  ),
  row(
    clients,
    "guard start",
    "Begin a client's session: its identity, who else is here, what dead sessions left and what was done about it",
    async () => (await import("./commands/guard.ts")).start,
  ),
  row(
    clients,
    "guard write",
    "Ask before writing: the first write of a file reserves it, each further one renews; globs are only asked for",
    async () => (await import("./commands/guard.ts")).write,
  ),
  row(
    clients,
    "guard used",
    "After tools have run: renew what they wrote, and remember what was read, for whoever commits it next",
    async () => (await import("./commands/guard.ts")).used,
  ),
  row(
    clients,
    "guard commit",
    "Ask before a commit: refuses paths that another live agent holds, or that were lost to one",
    async () => (await import("./commands/guard.ts")).commit,
  ),
  row(
    clients,
    "statusline",
    "Print one line for a client's status line: branch, other agents and their files, own claim, runs, trouble",
    async () => (await import("./commands/statusline.ts")).statusline,
  ),
  row(
    data,
    "project list",
    "List the projects of this home with what it keeps of each, most recently active first",
    async () => (await import("./commands/projects.ts")).list,
  ),
  row(
    data,
    "project forget",
    "Remove everything that is kept of a project, in one step",
    async () => (await import("./commands/projects.ts")).forget,
  ),
  row(
    data,
    "backup",
    "Copy the whole store into one file, while everything goes on",
    async () => (await import("./commands/store.ts")).backup,
  ),
  row(
    data,
    "restore",
    "Put a backup in the place of the store, and keep what it replaces",
    async () => (await import("./commands/restore.ts")).restore,
  ),
  row(
    data,
    "export",
    "Write all records as JSON Lines: projects, agents, reservations, work, mail, findings, runs, history, events",
    async () => (await import("./commands/store.ts")).exportCommand,
  ),
  row(
    data,
    "purge",
    "Remove what has ended before a time: events, ended agents, closed items, old mail, settled findings, finished runs, history",
    async () => (await import("./commands/store.ts")).purge,
  ),
  row(
    more,
    "events",
    "Read the event log after a cursor (as a live stream with Accept: text/event-stream)",
    async () => (await import("./commands/events.ts")).events,
  ),
  row(
    more,
    "demo",
    "See it work: agents that collide, a request run to its end, a crash in the middle",
    async () => (await import("./commands/demo.ts")).demo,
  ),
  row(
    more,
    "cost",
    "Show what model calls have used: tokens, context and money, of all clients and runs",
    async () => (await import("./commands/cost.ts")).cost,
  ),
  row(
    more,
    "simulate",
    "Show how coordination does with 1 to 1,000 agents: the real rules on a virtual clock, no daemon needed",
    async () => (await import("./commands/simulate.ts")).simulate,
  ),
  row(more, "mcp", "Speak MCP on standard input and output", async () => (await import("./commands/mcp.ts")).mcp),
  row(
    more,
    "completion",
    "Print a completion script for bash, zsh or fish",
    async () => (await import("./commands/completion.ts")).completion,
  ),
];

function row(
  group: string,
  words: string,
  summary: string,
  load: () => Promise<Command | UnloadedCommand>,
): CommandRow {
  return { group, words, summary, load: async () => whole(await load()) };
}

async function whole(command: Command | UnloadedCommand): Promise<Command> {
  if (!("load" in command)) return command;
  const { load, ...own } = command;
  return { ...(await load()), ...own };
}

/** The row whose words begin the arguments; two-word commands win over one-word ones. */
export function findCommand(
  argv: readonly string[],
): { readonly row: CommandRow; readonly rest: readonly string[] } | undefined {
  for (const count of [2, 1]) {
    const words = argv.slice(0, count).join(" ");
    const row = commandTable.find((candidate) => candidate.words === words);
    if (row !== undefined && argv.length >= count) return { row, rest: argv.slice(count) };
  }
  return undefined;
}
