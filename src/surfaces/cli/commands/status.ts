import { DomainError } from "../../../contract/errors.ts";
import type { DaemonStatus } from "../../../contract/index.ts";
import { readUserToken, type HomePaths } from "../../../platform/home/index.ts";
import { socketTransport } from "../../transport/index.ts";
import type { Command } from "../command.ts";

/** Asked by scripts hundreds of times a day: no schema library on this path. */
export const status: Command = {
  words: "status",
  summary: "Say what the daemon is, where it listens and how its store does",
  example: "sylk status --json",
  details: "Exit code 7 when no daemon answers.",
  async run({ paths, out, json }) {
    const found = await askStatus(paths);
    if (json) out.json(found);
    else if (!found.running) out.line(`No daemon answers at ${found.socket} (${found.reason}); "sylk up" starts one`);
    else {
      out.table(
        ["", ""],
        [
          ["daemon", `running, pid ${found.pid}, version ${found.version}`],
          ["home", found.home],
          ["listens", [found.socket, found.url].filter((place) => place !== null).join("  ")],
          ["store", `${found.store.state}  ${found.store.file}`],
          ["agents", `${found.agents} live`],
          ["incidents", found.incidents === 0 ? "none" : String(found.incidents)],
        ],
      );
    }
    return found.running ? 0 : 7;
  },
};

type NotRunning = {
  readonly running: false;
  readonly reason: string;
  readonly home: string;
  readonly socket: string;
} & Record<"pid" | "version" | "url" | "store" | "agents" | "sessions" | "incidents", null>;

/** What is not known is null, never zero. */
export async function askStatus({ home, socket, token }: HomePaths): Promise<DaemonStatus | NotRunning> {
  try {
    const { status, body } = await socketTransport(socket, { timeoutMs: 5_000 })({
      method: "GET",
      path: "/v1/status",
      headers: { authorization: `Bearer ${readUserToken(token) ?? ""}` },
    });
    if (status === 200) return JSON.parse(body) as DaemonStatus;
    throw new DomainError("daemon.unreachable", `it answered with HTTP ${status}`, {
      details: { reason: `HTTP ${status}: ${body}` },
    });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return {
      running: false,
      reason: String(error.details.reason),
      home,
      socket,
      pid: null,
      version: null,
      url: null,
      store: null,
      agents: null,
      sessions: null,
      incidents: null,
    };
  }
}
