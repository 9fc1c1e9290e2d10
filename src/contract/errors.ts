/**
 * Errors, sorted by what the caller should do. One table maps every code to family, HTTP status, exit code and retry;
 * the reference page, the HTTP surface, the CLI and the client all read it.
 *
 * This file imports nothing: it is a second door of the contract for code that must start fast.
 * Invariant: an error never changes meaning on its way out, keeps its cause, and its message names the way out.
 */
export const errorFamilies = {
  invalid: { http: 400, exit: 2, retry: "after change", replayed: true },
  unauthenticated: { http: 401, exit: 8, retry: "with a valid token", replayed: false },
  denied: { http: 403, exit: 8, retry: "never", replayed: true },
  "not-found": { http: 404, exit: 3, retry: "never", replayed: true },
  conflict: { http: 409, exit: 4, retry: "later", replayed: true },
  lost: { http: 410, exit: 5, retry: "after re-reading", replayed: true },
  exhausted: { http: 429, exit: 6, retry: "later", replayed: true },
  unavailable: { http: 503, exit: 7, retry: "later", replayed: false },
  bug: { http: 500, exit: 70, retry: "never", replayed: false },
} as const;
export type ErrorFamily = keyof typeof errorFamilies;

type ErrorRow = {
  readonly family: ErrorFamily;
  readonly http?: number;
  readonly when: string;
  readonly carries: string;
};

export const errorTable = {
  "input.invalid": {
    family: "invalid",
    when: "A field is missing, unknown, mistyped or out of range",
    carries: "problems: path and message of each field",
  },
  "input.malformed": { family: "invalid", when: "The body is not JSON or not UTF-8", carries: "reason" },
  "input.too-large": { family: "invalid", http: 413, when: "The body is larger than the limit", carries: "limitBytes" },
  "input.unsupported-type": {
    family: "invalid",
    http: 415,
    when: "The content type is not application/json",
    carries: "contentType",
  },
  "input.headers-too-large": {
    family: "invalid",
    http: 431,
    when: "The request's headers are larger than the limit",
    carries: "limitBytes",
  },
  "idempotency.mismatch": {
    family: "conflict",
    when: "The same Idempotency-Key came with another body",
    carries: "operation",
  },
  "settings.invalid": {
    family: "invalid",
    when: "A configuration file, variable or flag has a wrong value",
    carries: "problems: where, key and what is allowed",
  },
  "token.missing": {
    family: "unauthenticated",
    when: "The request carries no bearer token",
    carries: "where the token is kept",
  },
  "token.unknown": {
    family: "unauthenticated",
    when: "The token is not one this daemon issued, or it was revoked",
    carries: "how to get a new one",
  },
  "caller.denied": {
    family: "denied",
    when: "The token is valid but not for this operation, agent or project",
    carries: "needed",
  },
  "host.denied": {
    family: "denied",
    when: "The Host or Origin header is not this daemon's own",
    carries: "host, origin",
  },
  "operation.unknown": { family: "not-found", when: "No operation has this path or name", carries: "near matches" },
  "project.not-found": {
    family: "not-found",
    when: "The project's path does not exist or was never seen",
    carries: "path",
  },
  "project.in-use": {
    family: "conflict",
    when: "Live agents or unfinished runs belong to the project",
    carries: "agents, runs",
  },
  "agent.not-found": { family: "not-found", when: "No agent has this id or name", carries: "id" },
  "agent.ended": {
    family: "lost",
    when: "The agent has ended and can no longer hold, claim or send",
    carries: "agent",
  },
  "agent.unidentified": {
    family: "denied",
    when: "An MCP call changes something, and its agent is unknown",
    carries: "candidates: the agents that share its client process, if there are several",
  },
  "agent.unknown-project": {
    family: "invalid",
    when: "A user call needs a project and named none",
    carries: "the header to send",
  },
  "reservation.conflict": {
    family: "conflict",
    when: "A path overlaps another agent's live reservation",
    carries: "reservation, holder, its liveness, overlap, retryAfterMs, suggestedAction",
  },
  "write.unknown": {
    family: "conflict",
    when: "guard.policy is strict, and the write targets of a command are unknown",
    carries: "unknown: each unknown write target, and why",
  },
  "write.erases": {
    family: "conflict",
    when: "A git command would rewrite files that other live agents hold or have uncommitted changes in",
    carries: "command, holder: of the first file; files: the first ones, each with its agent and why; count",
  },
  "path.not-holdable": {
    family: "conflict",
    when: "A file's name cannot be reserved (control characters, bytes that are not UTF-8, too long), so no agent can hold it",
    carries: "path, reason",
  },
  "write.unenforced": {
    family: "conflict",
    when: "guard.enforce is on, other agents hold files in the tree, and the kernel cannot keep them read-only here",
    carries: "reason, held: paths and holders",
  },
  "tool.not-found": { family: "not-found", when: "Sylk knows no tool of this name", carries: "tool" },
  "tool.not-installable": {
    family: "conflict",
    when: "Sylk does not install this tool in this project: its manager is absent, or would change more than the project",
    carries: "tool, command, reason",
  },
  "tool.install-off": {
    family: "denied",
    when: "The project's setting tools.install is off",
    carries: "needed",
  },
  "tool.install-failed": {
    family: "unavailable",
    when: "The package manager failed, or the tool did not work afterwards; manifests and lock files were restored",
    carries: "tool, command, reason",
  },
  "skill.not-found": {
    family: "not-found",
    when: "The role has no skill of this name",
    carries: "name, near: the names it could mean",
  },
  "source.not-found": { family: "not-found", when: "The project has no source of this id", carries: "id" },
  "source.unreadable": {
    family: "invalid",
    when: "A source is not there, too large, of a type that is not read, or not what its type says",
    carries: "location, and the limit or the type",
  },
  "source.unreachable": {
    family: "unavailable",
    when: "A page of an allowed host did not answer, answered with an error, redirected too often or took too long",
    carries: "location, reason",
  },
  "reservation.not-found": { family: "not-found", when: "No reservation has this id", carries: "id" },
  "reservation.limit": {
    family: "exhausted",
    when: "The agent has reached its limit of reserved patterns",
    carries: "limit, used, held",
  },
  "lease.lost": {
    family: "lost",
    when: "The reservation or claim has ended or passed to another agent",
    carries: "id, current holder",
  },
  "claim.taken": {
    family: "conflict",
    when: "Another live agent owns the work item",
    carries: "holder, retryAfterMs, suggestedAction: pick-next",
  },
  "claim.limit": {
    family: "exhausted",
    when: "The agent has reached its limit of claims",
    carries: "limit, used, held, suggestedAction: stop-dispatch",
  },
  "work-item.not-found": {
    family: "not-found",
    when: "No work item has this id",
    carries: "id, suggestedAction: rerun-discovery",
  },
  "work-item.closed": {
    family: "conflict",
    when: "The work item is closed",
    carries: "closedReason, suggestedAction: rerun-discovery",
  },
  "work-item.blocked": {
    family: "conflict",
    when: "The work item depends on items that are not closed, or was marked as blocked",
    carries: "blockedBy, blockedReason, suggestedAction: rerun-discovery",
  },
  "work-item.cycle": {
    family: "invalid",
    when: "The change would create a dependency cycle between work items",
    carries: "cycle: the ids from the item back to itself",
  },
  "handoff.not-asked": {
    family: "conflict",
    when: "No agent has asked for the work item, so there is nothing to accept or decline",
    carries: "id",
  },
  "handoff.pending": {
    family: "conflict",
    when: "Another agent has already asked for the work item",
    carries: "handoffRequest, retryAfterMs",
  },
  "message.not-found": { family: "not-found", when: "No message has this id", carries: "id" },
  "mail.limit": {
    family: "exhausted",
    when: "The agent has reached its limit of messages per minute, in all or to one receiver",
    carries: "limit, used, retryAfterMs",
  },
  "entry.not-found": { family: "not-found", when: "No entry of the archive has this id", carries: "id" },
  "finding.not-found": { family: "not-found", when: "No finding has this id", carries: "id" },
  "incident.not-found": { family: "not-found", when: "No unresolved incident has this id", carries: "id" },
  "session.not-found": { family: "not-found", when: "No session has this id", carries: "id" },
  "session.not-possible": {
    family: "conflict",
    when: "The session's state does not allow this",
    carries: "session, state, what is possible",
  },
  "session.limit": {
    family: "exhausted",
    when: "The session limit is reached, and no session ended within the waiting time",
    carries: "limit, used, waiting, retryAfterMs",
  },
  "session.snapshot-damaged": {
    family: "unavailable",
    when: "A saved session is damaged; it is neither used nor changed",
    carries: "session, reason",
  },
  "session.snapshot-newer": {
    family: "unavailable",
    when: "A newer Sylk has saved the session",
    carries: "session, schema of the snapshot and of this program",
  },
  "run.not-found": { family: "not-found", when: "No run has this id", carries: "id" },
  "dag.not-found": {
    family: "not-found",
    when: "No DAG run has this id, or no node of it this name",
    carries: "id, node",
  },
  "dag.not-possible": {
    family: "conflict",
    when: "The state of the DAG run, or of the node, does not allow this",
    carries: "status or state, what is possible",
  },
  "dag.stale": {
    family: "lost",
    when: "The adjustment was made for an older version of the DAG run",
    carries: "version",
  },
  "run.not-possible": {
    family: "conflict",
    when: "The run's status does not allow this",
    carries: "status, what is possible",
  },
  "approval.not-found": { family: "not-found", when: "No approval has this id", carries: "id" },
  "approval.decided": { family: "conflict", when: "A decision was already made", carries: "approval" },
  "provider.missing": {
    family: "invalid",
    when: "No model provider is configured and no rehearsal was asked for",
    carries: "how to add one",
  },
  "provider.not-found": { family: "not-found", when: "No provider has this name", carries: "name, known names" },
  "scenario.invalid": { family: "invalid", when: "A scenario file cannot be understood", carries: "problems" },
  "code.unanswered": {
    family: "unavailable",
    when: "No tool could answer a question about a file; that is not the same as nothing found",
    carries: "reasons: each provider and why it did not answer",
  },
  "scip.refused": {
    family: "invalid",
    when: "A file is not a SCIP index, is too large, or is cut off",
    carries: "file",
  },
  "workspace.unavailable": {
    family: "unavailable",
    when: "There is no git, no repository or no commit to start a run from",
    carries: "tree",
  },
  "workspace.dirty": {
    family: "conflict",
    when: "The target of a merge has uncommitted changes",
    carries: "tree, changes",
  },
  "workspace.conflict": {
    family: "conflict",
    when: "A branch does not merge cleanly; nothing was moved",
    carries: "branch, conflicts; into, workItem and owner where it became a work item",
  },
  "worktree.not-found": {
    family: "not-found",
    when: "The agent has no working tree of that name",
    carries: "name, near",
  },
  "commit.nothing": {
    family: "conflict",
    when: "None of the paths differs from the branch, or none that the agent reserved",
    carries: "paths",
  },
  "commit.not-possible": {
    family: "conflict",
    when: "The tree is on no branch, in a merge or rebase, or locked by another git; or git has no author configured",
    carries: "state",
  },
  "commit.reverts": {
    family: "conflict",
    when: "The commit removes lines from files that its agent never reserved, or restores an older version of them",
    carries: "paths",
  },
  "commit.hook-refused": {
    family: "conflict",
    when: "A hook of the repository stopped the commit, or took too long",
    carries: "hook, output",
  },
  "events.truncated": {
    family: "lost",
    when: "The cursor is older than what the log still keeps",
    carries: "oldest cursor",
  },
  "daemon.unreachable": {
    family: "unavailable",
    when: "The daemon does not answer on its socket",
    carries: "socket, cause",
  },
  "daemon.already-running": {
    family: "conflict",
    when: "Another daemon serves this home",
    carries: "home",
  },
  "daemon.start-failed": {
    family: "unavailable",
    when: "The daemon was started and ended before it answered",
    carries: "what it printed",
  },
  "daemon.version-mismatch": {
    family: "unavailable",
    when: "The running daemon speaks another version",
    carries: "daemon and client version",
  },
  "daemon.busy": {
    family: "unavailable",
    when: "More connections, streams or unanswered requests are open than the daemon serves at once",
    carries: "limit, retryAfterMs",
  },
  "daemon.stopping": { family: "unavailable", when: "The daemon is shutting down", carries: "-" },
  "store.unavailable": {
    family: "unavailable",
    when: "The store cannot be written or read (full disk, I/O error, locked)",
    carries: "cause",
  },
  "store.newer": {
    family: "unavailable",
    when: "A newer or another Sylk has written the store",
    carries: "schema of the store and of this program",
  },
  "store.damaged": {
    family: "unavailable",
    when: "The store's file is not a whole store; it is neither changed nor removed",
    carries: "file, reason, newest backup",
  },
  "store.in-use": {
    family: "conflict",
    when: "Agents or runs are active, and the request would remove their state",
    carries: "agents, runs",
  },
  "backup.invalid": {
    family: "invalid",
    when: "The file to restore is missing, damaged, not a Sylk store, or from a newer Sylk",
    carries: "file, reason",
  },
  "pool.full": {
    family: "exhausted",
    when: "The queue of the pool, or the session's share of it, is full",
    carries: "group, limit, used",
  },
  "route.unsure": {
    family: "conflict",
    when: "The Guide is not sure which role a request is for, or the roles it asked declined",
    carries: "to: the best guess, confidence, candidates; refusals: who declined and why",
  },
  "route.unknown": {
    family: "invalid",
    when: "No role that the Guide knows fits the request",
    carries: "known: who may be addressed, candidates",
  },
  "route.aborted": {
    family: "conflict",
    when: "A hook stopped the request before it was routed or dispatched",
    carries: "hook, point, reason",
  },
  "role.busy": {
    family: "exhausted",
    when: "The role's queue is full",
    carries: "role, limit, used",
  },
  "role.unavailable": {
    family: "unavailable",
    when: "The role did not answer in time, stopped responding, or failed so often that it is paused for a while",
    carries: "role, reason, retryAfterMs",
  },
  "file.not-kept": {
    family: "not-found",
    when: "Local history has no such version of the file, or its content is no longer kept",
    carries: "path, version",
  },
  "file.link": {
    family: "conflict",
    when: "A file to write is a link, or lies behind one, and the call did not agree to follow it",
    carries: "file, leadsTo",
  },
  "file.exists": { family: "conflict", when: "The file to write is already there", carries: "file" },
  internal: { family: "bug", when: "A defect in Sylk; the log has the details", carries: "reference of the log line" },
} as const satisfies Record<string, ErrorRow>;
export type ErrorCode = keyof typeof errorTable;

export type ErrorDetails = Readonly<Record<string, unknown>>;
type ErrorOptions = { readonly details?: ErrorDetails; readonly retryAfterMs?: number; readonly cause?: unknown };

export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, { details = {}, retryAfterMs, cause }: ErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "DomainError";
    this.code = code;
    this.details = details;
    this.retryAfterMs = retryAfterMs;
  }

  get family(): ErrorFamily {
    return errorTable[this.code].family;
  }
  get httpStatus(): number {
    const row: ErrorRow = errorTable[this.code];
    return row.http ?? errorFamilies[row.family].http;
  }
  get exitCode(): number {
    return errorFamilies[this.family].exit;
  }
  /** A refusal is an answer and is replayed for the same idempotency key; a failure is not. */
  get isRefusal(): boolean {
    return errorFamilies[this.family].replayed;
  }
}

/** The body of every refusal and failure, on every surface. */
export type ErrorBody = {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: ErrorDetails | undefined;
    readonly retryAfterMs?: number | undefined;
  };
};

export function toErrorBody({ code, message, details, retryAfterMs }: DomainError): ErrorBody {
  return { error: { code, message, details: { ...details }, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } };
}

/** The client's inverse. An unknown code (a newer daemon's) stays visible instead of becoming a success or a guess. */
export function fromErrorBody({ error }: ErrorBody): DomainError {
  const { message, details = {}, retryAfterMs } = error;
  const options = { details, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  if (isErrorCode(error.code)) return new DomainError(error.code, message, options);
  return new DomainError("internal", `${error.code}: ${message}`, options);
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}

type InvalidTerms = {
  /** For a person, where "field: problem" would not be plain. */
  readonly sentence?: string;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
};

/** The refusal of one input field. */
export function invalidInput(
  path: string,
  message: string,
  { sentence, details, cause }: InvalidTerms = {},
): DomainError {
  return new DomainError("input.invalid", sentence ?? `${path}: ${message}`, {
    details: { problems: [{ path, message }], ...details },
    cause,
  });
}

/** The text of a thrown value, whatever it is. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "an error without a text";
  }
}
