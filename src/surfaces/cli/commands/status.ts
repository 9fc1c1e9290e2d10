import { DomainError } from "../../../contract/errors.ts";
import { agentsText, incidentsText } from "../../../contract/situation.ts";
import type { DaemonStatus } from "../../../contract/index.ts";
import { checkSocketFolder, readUserToken, type HomePaths } from "../../../platform/home/index.ts";
import { socketTransport } from "../../transport/index.ts";
import type { WrittenCommand } from "../command.ts";
import { makeHomeFix, whyHomeCannotBeMade } from "../home-trouble.ts";
import { printable } from "../printable.ts";
import { recordedDaemon } from "../recorded-daemon.ts";

/** Asked by scripts hundreds of times a day: no schema library on this path. */
export const status: WrittenCommand = {
  operation: "daemon.status",
  example: "sylk status --json",
  details: "Exit code 7 when no daemon answers.",
  async run({ paths, out, json }) {
    const found = await askStatus(paths);
    if (json) out.json(found);
    else if (!found.running) {
      out.line(whyNot(found));
      out.line(agentsText({ unknown: printable(found.reason) }));
    } else {
      out.table(
        ["", ""],
        [
          ["daemon", `running, pid ${found.pid}, version ${found.version}`],
          ["home", found.home],
          ["listens", [found.socket, found.url].filter((place) => place !== null).join("  ")],
          ["store", `${found.store.state}  ${found.store.file}`],
          ["agents", `${found.agents} live`],
          ...(found.pool === undefined ? [] : [["pool", poolText(found.pool)]]),
          ["incidents", incidentsText(printable(found.unresolved ?? []))],
        ],
      );
      for (const { part, what, fix } of printable(found.troubles))
        out.line(`${out.paint("red", "trouble")}    ${part}: ${what}; ${fix}`);
    }
    return found.running ? 0 : 7;
  },
};

function poolText({ limit, running, waiting }: NonNullable<DaemonStatus["pool"]>): string {
  return `${running} of ${limit} slots in use, ${waiting} waiting`;
}

/** A daemon that is there and cannot work is not "no daemon": starting one would not help. */
function whyNot({ home, socket, presence, reason, pid }: NotRunning): string {
  switch (presence) {
    case "unreachable":
      return `The daemon (pid ${pid}) runs, but cannot be reached at ${socket} (${reason}); it makes the socket again within 5 s, and "sylk down" stops it without`;
    case "homeless":
      return `No daemon can run: the home ${home} cannot be made (${reason}); ${makeHomeFix}`;
    case "absent":
      return `No daemon answers at ${socket} (${reason}); "sylk up" starts one`;
    case "silent":
      return `The daemon at ${socket} does not answer (${reason}); "sylk doctor" says what to do`;
    case "failing":
      return `The daemon at ${socket} cannot report its state: ${reason}`;
  }
}

export type NotRunning = {
  readonly running: false;
  /** No daemon, and none can start; no daemon; one without its socket; a silent one; one that can say only why it cannot answer. */
  readonly presence: "homeless" | "absent" | "unreachable" | "silent" | "failing";
  readonly reason: string;
  readonly home: string;
  readonly socket: string;
  readonly pid: number | null;
} & Record<"version" | "url" | "store" | "agents" | "sessions" | "incidents", null>;

/** What is not known is null, never zero. */
export async function askStatus(paths: HomePaths): Promise<DaemonStatus | NotRunning> {
  const { home, socket, token } = paths;
  checkSocketFolder(paths);
  try {
    const { status, body } = await socketTransport(socket, { timeoutMs: 5_000 })({
      method: "GET",
      path: "/v1/status",
      headers: { authorization: `Bearer ${readUserToken(token) ?? ""}` },
    });
    if (status === 200) return JSON.parse(body) as DaemonStatus;
    throw new DomainError("daemon.unreachable", `it answered with HTTP ${status}`, {
      details: { reason: messageIn(body) ?? `HTTP ${status}: ${body}`, failing: true },
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const presence = presenceIn(error);
    const pid = presence === "absent" ? await recordedDaemon(paths) : undefined;
    const homeless = presence === "absent" && pid === undefined ? whyHomeCannotBeMade(home) : undefined;
    return {
      running: false,
      presence: homeless !== undefined ? "homeless" : pid === undefined ? presence : "unreachable",
      reason: homeless ?? String(error.details.reason),
      home,
      socket,
      pid: pid ?? null,
      version: null,
      url: null,
      store: null,
      agents: null,
      sessions: null,
      incidents: null,
    };
  }
}

function presenceIn({ details }: DomainError): "absent" | "silent" | "failing" {
  if (details.failing === true) return "failing";
  return details.silent === true ? "silent" : "absent";
}

function messageIn(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { readonly error?: { readonly message?: string } }).error?.message;
  } catch {
    return undefined; // not from a daemon of ours
  }
}
