/**
 * Every kind of thing that Sylk creates: where it is kept, how long it stays and what removes it. A test lists the tables of
 * the store and the entries of a home, and fails for one that is not declared here.
 *
 *   swept  removed by itself after its lifetime, or with the thing it belongs to
 *   user   the user's records: they stay until the user removes them, with the command that is named
 *   fixed  one of each, or as many as there are projects: nothing to remove
 */
export type Lifetime = {
  readonly kind: string;
  readonly tables?: readonly string[];
  /** Entries of the home, by name. */
  readonly home?: readonly string[];
  /** Elsewhere: in a repository, in memory. */
  readonly elsewhere?: string;
  readonly stays: "swept" | "user" | "fixed";
  /** Days until it is gone; a setting where it is one. */
  readonly days?: number | string;
  readonly until: string;
};

export const lifetimes: readonly Lifetime[] = [
  {
    kind: "agents",
    tables: ["agents", "mailboxes", "work_item_records"],
    stays: "user",
    until: "names stay, so that records can be read; the rest of a gone agent is swept; sylk purge removes ended ones",
  },
  {
    kind: "tokens and capabilities of agents",
    tables: ["tokens", "agent_capabilities"],
    stays: "swept",
    days: "agents.keepGoneDays",
    until: "at most 16 tokens an agent; all go with a gone agent",
  },
  {
    kind: "contacts and subscriptions",
    tables: ["contacts", "topic_subscriptions"],
    stays: "swept",
    days: "agents.keepGoneDays",
    until: "with a gone agent",
  },
  {
    kind: "handoffs of agents",
    tables: ["handoffs"],
    stays: "swept",
    days: "agents.keepGoneDays",
    until: "one an agent; with a gone agent",
  },
  {
    kind: "reservations",
    tables: ["reservations", "reservation_places", "release_requests", "reservation_waits"],
    stays: "swept",
    days: 7,
    until: "seven days after they ended; places and requests at once",
  },
  { kind: "fencing counters", tables: ["fencing_tokens"], stays: "fixed", until: "one a project" },
  {
    kind: "events",
    tables: ["events"],
    stays: "swept",
    days: "events.retentionDays",
    until: "also beyond events.maxCount",
  },
  {
    kind: "idempotency keys",
    tables: ["idempotency"],
    stays: "swept",
    days: 1,
    until: "idempotency.keepHours after the answer",
  },
  {
    kind: "mail",
    tables: [
      "messages",
      "message_receivers",
      "message_search",
      "message_search_config",
      "message_search_data",
      "message_search_docsize",
      "message_search_idx",
    ],
    stays: "swept",
    days: "mail.retentionDays",
    until: "unread important mail: mail.importantRetentionDays",
  },
  {
    kind: "findings",
    tables: ["findings", "finding_places"],
    stays: "swept",
    days: "findings.retentionDays",
    until: "after they were discarded or fixed; undecided ones stay",
  },
  {
    kind: "versions of files",
    tables: ["file_versions", "file_contents", "file_packs"],
    home: ["file-history"],
    stays: "swept",
    days: "fileHistory.keepDays",
    until: "also beyond fileHistory.maxBytes; contents go with the last version that needs them",
  },
  {
    kind: "sources of research and their text",
    tables: [
      "sources",
      "source_documents",
      "source_passages",
      "source_vectors",
      "source_search",
      "source_search_config",
      "source_search_data",
      "source_search_docsize",
      "source_search_idx",
    ],
    stays: "user",
    until:
      "sylk research remove, sylk purge, sylk project forget; what was read only in part goes with the next change",
  },
  {
    kind: "unguarded tool calls",
    tables: ["unguarded_calls"],
    stays: "swept",
    days: 30,
    until: "thirty days after the last one of a program",
  },
  {
    kind: "announced investigations",
    tables: ["investigations"],
    stays: "swept",
    days: "agents.keepGoneDays",
    until: "with their agent's end, or when it is long gone",
  },
  {
    kind: "counters and incidents",
    tables: ["health_components", "health_failures", "incidents", "health_intake"],
    stays: "swept",
    days: 30,
    until: "thirty days after the last report; how far a file was read goes with the file",
  },
  {
    kind: "work items",
    tables: [
      "work_items",
      "work_item_dependencies",
      "work_item_links",
      "work_item_open_links",
      "work_item_progress",
      "work_item_handoffs",
      "work_item_imports",
    ],
    stays: "user",
    until: "sylk purge, sylk project forget",
  },
  {
    kind: "causes of which a person was told",
    tables: ["notices"],
    stays: "swept",
    days: 30,
    until: "thirty days after the first time; then it may be told again",
  },
  {
    kind: "notices of work items",
    tables: ["work_item_notices"],
    stays: "swept",
    days: 30,
    until: "thirty days, read or not",
  },
  {
    kind: "sessions and runs",
    tables: [
      "sessions",
      "promoted_preferences",
      "runs",
      "run_nodes",
      "run_checks",
      "run_findings",
      "approvals",
      "archive",
      "archive_search",
      "archive_search_config",
      "archive_search_data",
      "archive_search_docsize",
      "archive_search_idx",
      "archive_workflows",
      "archive_savings",
      "archive_snapshots",
      "archive_defaults",
      "archive_queries",
    ],
    stays: "user",
    until: "sylk purge, sylk project forget",
  },
  {
    kind: "what sessions held when they were put down, who looks at which",
    tables: ["session_snapshots", "session_focus"],
    stays: "swept",
    days: 0,
    until: "one a session and one a client; gone with the session's end",
  },
  {
    kind: "DAG runs",
    tables: ["dag_runs", "dag_versions", "dag_nodes", "dag_outputs"],
    stays: "user",
    until: "sylk purge, sylk project forget",
  },
  {
    kind: "processes of runs, graphs, checks and prompts",
    tables: ["processes"],
    stays: "swept",
    days: 0,
    until: "their process has ended",
  },
  {
    kind: "audit",
    tables: ["audit"],
    home: ["audit-head"],
    stays: "user",
    until: "a chain has no gaps; one row a privileged act",
  },
  {
    kind: "the token ledger",
    tables: ["ledger_usage", "ledger_sources"],
    stays: "swept",
    days: 400,
    until: "400 days after the call; where a file was left off, as long after its last reading",
  },
  { kind: "projects", tables: ["projects"], stays: "fixed", until: "sylk project forget" },
  { kind: "the store itself", tables: ["migrations", "sqlite_sequence"], stays: "fixed", until: "one a home" },
  {
    kind: "files of the store",
    home: ["sylk.db", "sylk.db-shm", "sylk.db-wal", "restored.json"],
    stays: "fixed",
    until: "one a home",
  },
  {
    kind: "clones of scanned repositories",
    home: ["scans"],
    stays: "swept",
    days: 0,
    until: "the five latest; older ones go with the next scan, and deleting the folder is safe",
  },
  {
    kind: "files of the daemon",
    home: [
      "daemon.lock",
      "daemon.json",
      "port.json",
      "served-by",
      "guards",
      "token",
      "sylk.sock",
      "config.yaml",
      "trusted-settings.json",
      "browsers.json",
      "providers.json",
      "prices.yaml",
    ],
    stays: "fixed",
    until: "one a home; record and socket go with the daemon",
  },
  {
    kind: "logs",
    home: ["log"],
    stays: "swept",
    days: 0,
    until: "log.keep files of log.maxBytes; worker.err is emptied beyond that size",
  },
  { kind: "marks of heartbeats", home: ["heartbeats"], stays: "swept", days: 1, until: "a day after the last one" },
  {
    kind: "marks of nudges",
    home: ["nudges"],
    stays: "swept",
    days: 7,
    until: "a week after a session's last one; how often each was ignored stays",
  },
  {
    kind: "backups",
    home: ["backups"],
    stays: "user",
    until: "five of those before upgrades; asked-for ones are the user's",
  },
  { kind: "hooks", home: ["hooks"], stays: "fixed", until: "one a home; sylk uninstall" },
  { kind: "exports", home: ["exports"], stays: "user", until: "the user's files" },
  {
    kind: "worktrees and quarantine",
    home: ["worktrees"],
    elsewhere: "branches sylk/… and quarantine of the repository",
    stays: "swept",
    days: 0,
    until: "with their run, by sylk merge and sylk discard; unsaved work goes into quarantine, which is the user's",
  },
  {
    kind: "indexes of sessions",
    home: ["indexes"],
    stays: "swept",
    days: 1,
    until: "with their agent's end, or a day after it went offline",
  },
  {
    kind: "what agents have to catch up with, waiting requests, rates, tool calls under way, watched folders",
    elsewhere: "memory of the daemon",
    stays: "swept",
    days: 0,
    until: "bounded for each live agent; gone with the daemon",
  },
  {
    kind: "simulations",
    elsewhere: "a folder of the system's for temporary files",
    stays: "swept",
    days: 0,
    until: "their end",
  },
];
