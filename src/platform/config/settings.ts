/**
 * Settings: the one list of everything a user can configure.
 *
 *   this list -> files, environment, flags, `config show`, help text, reference docs
 *
 * Scope decides who is believed. A "project" setting may also stand in a repository's `.sylk/config.yaml`;
 * a "daemon" setting may not, because a cloned repository must not move the port or silence the log. Each project setting
 * says which way it is looser: a repository tightens by itself and loosens only with the user's consent.
 * Invariant: a key, its variable and its flag are derived from each other and never collide.
 */
import {
  commandLine,
  commandWords,
  dayHours,
  nameList,
  hostList,
  hostNames,
  hostPortList,
  nameOr,
  oneOf,
  type SettingKind,
  type Strictness,
  trueOrFalse,
  webAddress,
  wholeNumber,
} from "./setting-kinds.ts";

export type SettingScope = "daemon" | "project";

export interface SettingDefinition<Value = unknown> {
  readonly kind: SettingKind<Value>;
  readonly default: Value;
  readonly scope: SettingScope;
  readonly description: string;
  /** Of a project's setting: which way it may be set by a repository without the user's consent. */
  readonly strictness?: Strictness;
}

const HOUR_MS = 3_600_000;
const MIB = 1_048_576;

export const settingDefinitions = {
  "http.port": daemon(wholeNumber(0, 65_535), 7373, "Loopback TCP port of the server; 0 takes any free one"),
  "http.enabled": daemon(trueOrFalse(), true, "Listen on TCP besides the unix socket"),
  "http.allowedHosts": daemon(
    hostNames(),
    "",
    "Further names under which a browser may open the dashboard, for a tunnel of your own; empty for this machine only",
  ),
  "log.level": daemon(oneOf(["debug", "info", "warn", "error"]), "info", "Least serious level written to the log"),
  "log.maxBytes": daemon(wholeNumber(65_536), 5 * MIB, "Size at which the log file is rotated"),
  "log.keep": daemon(wholeNumber(1, 20), 3, "Log files kept, the current one included"),
  "events.retentionDays": daemon(wholeNumber(1, 3650), 30, "Days an event stays readable"),
  "events.maxCount": daemon(wholeNumber(1000), 1_000_000, "Events kept at most; the oldest go first"),
  "agents.idleAfterMs": daemon(wholeNumber(1000, 24 * HOUR_MS), 60_000, "Silence after which an agent counts as idle"),
  "agents.staleAfterMs": daemon(
    wholeNumber(1000, 24 * HOUR_MS),
    300_000,
    "Silence after which an agent counts as gone",
  ),
  "agents.keepGoneDays": daemon(
    wholeNumber(1, 3650),
    14,
    "Days an offline or ended agent stays listed by status; then only its name is kept",
  ),
  "agents.leftProcesses": daemon(
    oneOf(["wait", "end"]),
    "wait",
    "Processes that a killed session left: wait for their end before its reservations are released, or end them",
  ),
  "reservations.ttlMs": project(
    wholeNumber(1000, HOUR_MS / 2),
    300_000,
    "How long a reservation lasts without renewal",
    "less is looser",
  ),
  "reservations.maxTtlMs": daemon(
    wholeNumber(0, 24 * HOUR_MS),
    HOUR_MS / 2,
    "How long a reservation lasts at most without an edit, however long its holder has been editing",
  ),
  "reservations.graceMs": daemon(
    wholeNumber(0, HOUR_MS),
    120_000,
    "How long a holder may take back a reservation that ran out, before those who wait",
  ),
  "reservations.askMs": daemon(
    wholeNumber(0, 24 * HOUR_MS),
    600_000,
    "How long a holder has to answer a request for release before it may be forced",
  ),
  "reservations.urgentAskMs": daemon(wholeNumber(0, 24 * HOUR_MS), 300_000, "The same for an urgent request"),
  "reservations.contestedMaxMs": daemon(
    wholeNumber(1000, 24 * HOUR_MS),
    900_000,
    "How much longer a reservation lasts at most once another agent waits for it",
  ),
  "reservations.maxPerAgent": project(
    wholeNumber(1, 10_000),
    40,
    "Live reservations one agent may hold",
    "more is looser",
  ),
  "commits.refreshEveryMs": daemon(
    wholeNumber(0, HOUR_MS),
    30_000,
    "How often at most an agent is told to look again at paths that others committed; 0 tells at once",
  ),
  "commits.syncEveryMs": daemon(
    wholeNumber(0, HOUR_MS),
    60_000,
    "How often at most an agent is told to take over others' commits; 0 tells at once",
  ),
  "commits.batchEveryMs": daemon(
    wholeNumber(0, HOUR_MS),
    300_000,
    "The same while a project is busy; 0 makes no difference between busy and calm",
  ),
  "commits.busyPerHour": daemon(wholeNumber(1, 100_000), 120, "Commits an hour from which a project counts as busy"),
  "commits.mode": project(
    oneOf(["paths", "project"]),
    "paths",
    'Which "sylk commit" waits for another: only one of overlapping paths, or every one of the repository',
    ["project", "paths"],
  ),
  "guard.policy": project(
    oneOf(["warn", "deny", "strict"]),
    "deny",
    "What hooks and commit gate do about files of others: only warn; stop agents and warn people; stop people too, and what cannot be known or asked",
    ["strict", "deny", "warn"],
  ),
  "guard.watch": project(
    oneOf(["on", "off"]),
    "on",
    "Whether files that agents hold are watched, so that a write past the hooks becomes a finding",
    ["on", "off"],
  ),
  "fileHistory.mode": daemon(
    oneOf(["on", "off"]),
    "on",
    "Whether local history keeps the versions of changed files that hooks and the watcher see",
  ),
  "fileHistory.keepDays": daemon(wholeNumber(1, 3650), 14, "Days a version of a file is kept"),
  "fileHistory.maxBytes": daemon(
    wholeNumber(MIB),
    512 * MIB,
    "Size of local history on the disk; beyond it the oldest versions go first",
  ),
  "fileHistory.maxFileBytes": daemon(
    wholeNumber(1024, 64 * MIB),
    2 * MIB,
    "Size up to which local history keeps a file's content",
  ),
  "index.maxBytes": daemon(
    wholeNumber(MIB),
    500 * MIB,
    "Size of a repository's code index on the disk; beyond it contents that no working tree has go first",
  ),
  "archive.sessionTokens": daemon(
    wholeNumber(1_000),
    200_000,
    "Tokens that a session's entries in the archive should stay below; compaction makes room",
  ),
  "archive.similarity": daemon(
    oneOf(["words", "vectors"]),
    "words",
    "How similar entries of the archive are ranked: by words (BM25), or by vectors of their spelling",
  ),
  "archive.briefRuns": daemon(trueOrFalse(), true, "Give the Architect a briefing from the archive before it plans"),
  "archive.briefAtStart": daemon(
    oneOf(["off", "micro", "standard", "full"]),
    "off",
    "Briefing from the archive that an agent's session begins with",
  ),
  "index.keepDays": daemon(wholeNumber(1, 3650), 30, "Days the code index keeps a working tree that no question named"),
  "languageServers.mode": daemon(
    oneOf(["auto", "on", "off"]),
    "auto",
    "Whether questions about places in files may start language servers that are installed: where a sandbox works; always; never",
  ),
  "languageServers.idleMinutes": daemon(
    wholeNumber(1, 1440),
    10,
    "Minutes after which a language server that no question used is ended",
  ),
  "guard.enforce": daemon(
    oneOf(["auto", "on", "off"]),
    "auto",
    "Whether the kernel keeps files of others read-only for shell commands: where a trial succeeded; always, else commands are refused; never",
  ),
  "work.claimTtlMs": project(
    wholeNumber(1000, 24 * HOUR_MS),
    HOUR_MS / 2,
    "How long a claim lasts without renewal",
    "less is looser",
  ),
  "work.maxClaimsPerAgent": project(
    wholeNumber(1, 1_000_000),
    3,
    "Work items one agent may hold at once",
    "more is looser",
  ),
  "work.stallAfterMs": project(
    wholeNumber(1000, 7 * 24 * HOUR_MS),
    HOUR_MS,
    "How long a claim may show no edit, commit or progress report before its owner is asked",
    "free",
  ),
  "work.answerWithinMs": daemon(
    wholeNumber(1000, 24 * HOUR_MS),
    600_000,
    "How long an owner may take to answer: is it stuck, does it hand over",
  ),
  "mail.maxPerMinute": project(wholeNumber(1, 100_000), 60, "Messages one agent may send a minute", "more is looser"),
  "mail.maxPerPairPerMinute": project(
    wholeNumber(1, 100_000),
    20,
    "Messages one agent may send another a minute",
    "more is looser",
  ),
  "notify.command": daemon(
    commandWords(),
    "",
    "Program that tells you that something waits for you: words without a shell; the notice is in SYLK_NOTICE",
  ),
  "notify.webhook": daemon(webAddress(), "", "Web address that gets a POST with JSON when something waits for you"),
  "notify.quietHours": daemon(
    dayHours(),
    "",
    "Local time in which you are not told, such as 22:00-07:00; afterwards one notice sums it up",
  ),
  "notify.bell": daemon(trueOrFalse(), false, "Ring the bell of a terminal that watches a run when it needs you"),
  "mail.retentionDays": daemon(wholeNumber(1, 3650), 30, "Days a message is kept"),
  "mail.importantRetentionDays": daemon(
    wholeNumber(1, 3650),
    90,
    "Days an important message is kept that was not read or acknowledged",
  ),
  "findings.retentionDays": daemon(wholeNumber(1, 3650), 90, "Days a discarded or fixed finding is kept"),
  "findings.onBlocking": project(
    oneOf(["tell", "end"]),
    "tell",
    "What a peer's blocking finding does to an Engineer of the same run or file: its model is told, or its work ends",
    ["end", "tell"],
  ),
  "guard.edit": daemon(
    oneOf(["fail-open", "fail-closed"]),
    "fail-open",
    "What the edit guard does when no daemon answers: let the edit pass, which is counted and shown, or refuse it",
  ),
  "guard.commit": daemon(oneOf(["fail-open", "fail-closed"]), "fail-closed", "The same for the commit gate"),
  "adapters.agentTeams": daemon(
    oneOf(["off", "on"]),
    "off",
    "Whether tasks of a client's own agent teams are mirrored as work items",
  ),
  "statusline.mode": daemon(
    oneOf(["auto", "live", "digest"]),
    "auto",
    "What the status line says of others: names, and numbers while much happens; names and the last changes; numbers only",
  ),
  nudges: daemon(
    oneOf(["on", "off"]),
    "on",
    "Whether hooks may say, in at most two lines a session, what a project lacks and how to install it",
  ),
  "sessions.max": daemon(wholeNumber(1, 10_000), 100, "Sessions that may be open at once, over all projects"),
  "sessions.maxWaiting": daemon(wholeNumber(0, 10_000), 100, "Callers that may wait for room for a session at once"),
  "sessions.maxTasks": daemon(wholeNumber(1, 10_000), 50, "Jobs of one session that may run at once"),
  "sessions.maxEngineers": daemon(wholeNumber(1, 10_000), 20, "Engineers of one session that may work at once"),
  "sessions.onBlur": daemon(
    oneOf(["pause", "background"]),
    "pause",
    'What becomes of a session when its client switches to another one: "pause" stops its runs too',
  ),
  "guide.classifier": daemon(
    nameOr("off", "the name of a configured provider"),
    "off",
    "Provider whose model is asked whom a question without a tag is for, where the rules are not sure; off asks none",
  ),
  "engineers.max": daemon(wholeNumber(1, 10_000), 500, "Engineers that may work at once, over all sessions"),
  "pool.workers": daemon(wholeNumber(1, 10_000), 32, "Jobs that may run at once, over all sessions"),
  "pool.backgroundWorkers": daemon(
    wholeNumber(0, 10_000),
    0,
    "How many of pool.workers take background jobs first; without background jobs they take any other",
  ),
  "pool.maxWaiting": daemon(wholeNumber(1, 100_000), 1_000, "Jobs that may wait at once, over all sessions"),
  "pool.maxWaitingPerSession": daemon(wholeNumber(1, 100_000), 100, "Jobs of one session that may wait at once"),
  "pool.ageingMs": daemon(
    wholeNumber(100, HOUR_MS),
    5_000,
    "How long a job waits before it counts as one step more urgent",
  ),
  "pool.adaptive": daemon(
    oneOf(["on", "off"]),
    "off",
    "Whether fewer jobs run at once while the machine is loaded, down to a quarter of pool.workers",
  ),
  "workers.beatMs": daemon(
    wholeNumber(100, 60_000),
    10_000,
    "How often a worker says that it lives; after three missed ones it counts as unhealthy, after six as dead",
  ),
  "checks.test": project(
    commandLine(),
    "",
    "Test command of runs, instead of the one that Sylk finds; a run reads it at its base commit",
    "free",
  ),
  "checks.lint": project(
    commandLine(),
    "",
    "Lint command of runs, instead of the one that Sylk finds; a run reads it at its base commit",
    "free",
  ),
  "tools.install": project(
    oneOf(["off", "ask"]),
    "off",
    "Whether Sylk may install tools into the project: never, or after a person has seen the command and said yes",
    ["off", "ask"],
  ),
  "tools.prefer": project(
    nameList(),
    "",
    "Tools that you prefer, in this order: in a project's file before those that its files show, else where they show none",
    "free",
  ),
  "scan.hosts": daemon(
    hostList(),
    "",
    "Hosts that repositories may be cloned from for a scan, each with the variable that holds its token: github.com git.example.com=WORK_TOKEN; empty allows none",
  ),
  "scan.maxBytes": daemon(wholeNumber(MIB), 200 * MIB, "Size of a cloned repository beyond which a scan stops"),
  "scan.timeoutMs": daemon(wholeNumber(1000, HOUR_MS), 120_000, "How long a scan may clone"),
  "knowledge.allowHosts": daemon(
    hostPortList(),
    "",
    "Hosts that sources of research may be read from, each with its port: docs.example.com:443; a private address only as itself: 127.0.0.1:8080; empty allows none",
  ),
  "knowledge.maxBytes": daemon(
    wholeNumber(1024, 200 * MIB),
    10 * MIB,
    "Size of a document beyond which it is not read",
  ),
  "knowledge.timeoutMs": daemon(wholeNumber(100, HOUR_MS), 30_000, "How long one page may take to come"),
  "knowledge.vectors": daemon(
    oneOf(["off", "hashing"]),
    "off",
    "Vectors beside words when sources are searched: none, or hashed parts of words, made here without a model",
  ),
  "tools.cacheMinutes": daemon(
    wholeNumber(0, 7 * 24 * 60),
    60,
    "How long the tools found in a project are remembered while its files stay as they are; 0 looks every time",
  ),
  "runs.sandbox": daemon(
    oneOf(["auto", "on", "off"]),
    "auto",
    "Whether commands of runs are sandboxed: where a trial succeeds, else each asks you first; always, else they are refused; never",
  ),
  "runs.network": daemon(oneOf(["off", "on"]), "off", "Whether sandboxed commands of runs may use the network"),
  "runs.autoResume": daemon(trueOrFalse(), true, "Resume interrupted runs when the daemon starts"),
  "idempotency.keepHours": daemon(wholeNumber(1, 720), 24, "Hours an answer is kept for repeated requests"),
} as const satisfies Record<string, SettingDefinition>;

export type SettingKey = keyof typeof settingDefinitions;

export type Settings = { readonly [Key in SettingKey]: (typeof settingDefinitions)[Key]["default"] };

export const settingKeys = Object.keys(settingDefinitions) as readonly SettingKey[];

/** Own keys only: a file is free to contain "constructor". */
export function isSettingKey(name: string): name is SettingKey {
  return Object.hasOwn(settingDefinitions, name);
}

/** `log.maxBytes` -> `SYLK_LOG_MAX_BYTES` */
export function envNameOf(key: SettingKey): string {
  return `SYLK_${wordsOf(key).join("_").toUpperCase()}`;
}

/** `log.maxBytes` -> `--log-max-bytes` */
export function flagOf(key: SettingKey): string {
  return `--${wordsOf(key).join("-").toLowerCase()}`;
}

function wordsOf(key: SettingKey): readonly string[] {
  return key.split(/\.|(?=[A-Z])/);
}

function daemon<Value>(
  kind: SettingKind<Value>,
  fallback: NoInfer<Value>,
  description: string,
): SettingDefinition<Value> {
  return { kind, default: fallback, scope: "daemon", description };
}

function project<Value>(
  kind: SettingKind<Value>,
  fallback: NoInfer<Value>,
  description: string,
  strictness: Strictness,
): SettingDefinition<Value> {
  return { kind, default: fallback, scope: "project", description, strictness };
}
