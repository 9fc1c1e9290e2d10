/** What the daemon knows about this repository, in a moment or not at all. Starts nothing, changes nothing. */
import { readUserToken, type HomePaths } from "../../platform/home/index.ts";
import { socketTransport } from "../transport/index.ts";

export type Coordination = {
  /** The session's own agent, if it has one. */
  readonly own: Present | undefined;
  readonly others: readonly Present[];
  readonly runs: readonly { readonly request: string; readonly status: string }[];
  /** Unresolved ones. */
  readonly incidents: number;
  /** False while the store refuses changes: nobody is kept apart then. */
  readonly enforced: boolean;
};
type Present = {
  readonly name: string;
  readonly files: readonly string[];
  readonly workItems: readonly { readonly title: string }[];
};
type Greeting = { readonly others: readonly string[] | null; readonly enforced: boolean; readonly incidents: number };

const withinMs = 250;

/** A text says why it is unknown. */
export async function askDaemon(
  paths: HomePaths,
  folder: string,
  session: string | undefined,
): Promise<Coordination | string> {
  const token = readUserToken(paths.token);
  if (token === undefined) return "no daemon";
  const transport = socketTransport(paths.socket, { timeoutMs: withinMs });
  const headers = {
    authorization: `Bearer ${token}`,
    "sylk-project": encodeURIComponent(folder),
    // A session that is not known stays unknown: reading registers nobody.
    ...(session === undefined ? {} : { "sylk-session": encodeURIComponent(session), "sylk-client": "claude-code" }),
  };
  const get = async <T>(path: string): Promise<T> => {
    const { status, body } = await transport({ method: "GET", path, headers });
    if (status !== 200) throw new Error(`HTTP ${status}`);
    return JSON.parse(body) as T;
  };
  try {
    const [agents, running, { others, enforced, incidents }] = await Promise.all([
      get<{ items: readonly Present[] }>("/v1/agents"),
      get<{ items: Coordination["runs"] }>("/v1/runs?status=running&limit=5"),
      get<Greeting>("/v1/health/greeting"),
    ]);
    if (others === null) return "agents unknown";
    return {
      own: agents.items.find(({ name }) => !others.includes(name)),
      others: agents.items.filter(({ name }) => others.includes(name)),
      runs: running.items,
      incidents,
      enforced,
    };
  } catch (error) {
    return (error as { details?: { silent?: boolean } }).details?.silent === true ? "daemon is silent" : "no daemon";
  }
}
