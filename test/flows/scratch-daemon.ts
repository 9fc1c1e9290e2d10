/**
 * A real daemon (dist/main.mjs serve) in a scratch home, with typed clients for its user and for agents.
 *
 *   await using daemon = await openScratchDaemon();
 *   const heron = await daemon.register("heron");
 *   await heron.client.call("work-item.ready", {});
 */
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent, ClientName } from "../../src/contract/index.ts";
import { daemonNodeOptions } from "../../src/surfaces/cli/start-daemon.ts";
import { createClient, fetchTransport, socketTransport, type SylkClient } from "../../src/surfaces/client/index.ts";
import { killAndWait } from "./processes.ts";
import { runSylkHere } from "./run-sylk-here.ts";
import type { SylkProcess, SylkRun } from "./run-sylk.ts";
import { openScratchHome, type ScratchHome } from "./scratch-home.ts";
import { until, within } from "./until.ts";

export type ScratchAgent = { readonly agent: Agent; readonly token: string; readonly client: SylkClient };
type Identity = { readonly token?: string; readonly project?: string | undefined; readonly actAs?: string };
type ServeOptions = {
  readonly port?: number;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  /** Options of Node itself, for the daemon alone. */
  readonly nodeOptions?: readonly string[];
  /** The daemon as a user starts it, not as commands do. */
  readonly isByHand?: boolean;
  /** Each command of the test in a process of its own, as users start it. */
  readonly commands?: "as processes";
};

export type ScratchDaemon = ScratchHome & {
  /** Of the daemon that runs now. */
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  readonly userToken: string;
  readonly user: SylkClient;
  /** Over the unix socket, as the user in the repository unless another identity is named. */
  clientOf(identity?: Identity): SylkClient;
  /** The same over TCP. */
  tcpClientOf(identity?: Identity): SylkClient;
  register(name: string, terms?: { project?: string; client?: ClientName }): Promise<ScratchAgent>;
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<SylkRun>;
  /** Starts one after the last has ended; at the same port, unless another is wanted. */
  restart(options?: ServeOptions): Promise<void>;
};

export async function openScratchDaemon(
  options: ServeOptions & { readonly home?: string } = {},
): Promise<ScratchDaemon> {
  const { home, ...serving } = options;
  const scratch = openScratchHome({ ...(home === undefined ? {} : { home }), env: serving.env ?? {} });
  try {
    return await serveIn(scratch, serving);
  } catch (error) {
    await scratch[Symbol.asyncDispose]();
    throw error;
  }
}

/** Commands that start, stop or replace a daemon, or are about the process they run in. */
const ownProcess: ReadonlySet<string> = new Set(
  "up down serve demo doctor restore mcp statusline completion logs simulate install uninstall --version version".split(
    " ",
  ),
);

async function serveIn(scratch: ScratchHome, options: ServeOptions): Promise<ScratchDaemon> {
  let current = await startDaemon(scratch, options);
  const userToken = readFileSync(scratch.paths.token, "utf8").trim();
  const identityOf = ({ token = userToken, ...rest }: Identity = {}) => ({
    token,
    ...(token === userToken ? { project: scratch.repository, ...rest } : rest),
  });
  const clientOf = (identity?: Identity): SylkClient =>
    createClient({ transport: socketTransport(scratch.paths.socket), ...identityOf(identity) });
  const user = clientOf();
  const sylk: ScratchHome["sylk"] = (args, given = {}) => {
    const needsProcess = given.uid !== undefined || given.nodeOptions !== undefined || ownProcess.has(args[0] ?? "");
    if (needsProcess || options.commands === "as processes") return scratch.sylk(args, given);
    const { cwd = scratch.repository, env } = given;
    const ended = runSylkHere(args, { cwd, env: { ...scratch.env, ...env } });
    return within(`"sylk ${args.join(" ")}" ends`, ended, { withinMs: 60_000 });
  };
  return {
    ...scratch,
    sylk,
    get pid() {
      return current.process.pid;
    },
    get url() {
      return current.url;
    },
    get port() {
      return Number(new URL(current.url).port);
    },
    userToken,
    user,
    clientOf,
    tcpClientOf: (identity) => createClient({ transport: fetchTransport(current.url), ...identityOf(identity) }),
    async register(name, { project = scratch.repository, client = "other" } = {}) {
      const { agent, token } = await user.call("agent.register", {
        sessionKey: `test-${name}`,
        client,
        project: { path: project },
        name,
      });
      return { agent, token, client: clientOf({ token }) };
    },
    async kill() {
      await killAndWait(current.process.pid);
      return current.process.ended;
    },
    async restart(again = {}) {
      await within("the last daemon has ended", current.process.ended);
      current = await startDaemon(scratch, { port: Number(new URL(current.url).port), ...again });
    },
  };
}

let copies = 0;

/**
 * The daemon as a test sees it that has a repository of its own: a copy of the daemon's with all that was installed there.
 * Its end is not the daemon's.
 */
export function inOwnRepository(daemon: ScratchDaemon): ScratchDaemon {
  const repository = join(daemon.root, `own-${++copies}`);
  cpSync(daemon.repository, repository, { recursive: true });
  const settings = join(repository, ".claude", "settings.local.json");
  if (existsSync(settings))
    writeFileSync(settings, readFileSync(settings, "utf8").replaceAll(daemon.repository, repository));
  const clientOf: ScratchDaemon["clientOf"] = (identity = {}) =>
    daemon.clientOf(identity.token === undefined ? { project: repository, ...identity } : identity);
  const own: Partial<ScratchDaemon> = {
    repository,
    clientOf,
    user: clientOf(),
    sylk: (args, options) => daemon.sylk(args, { cwd: repository, ...options }),
    start: (args, options) => daemon.start(args, { cwd: repository, ...options }),
    register: (name, terms) => daemon.register(name, { project: repository, ...terms }),
    [Symbol.asyncDispose]: async () => {},
  };
  return Object.defineProperties({} as ScratchDaemon, {
    ...Object.getOwnPropertyDescriptors(daemon),
    ...Object.getOwnPropertyDescriptors(own),
  });
}

/** Resolves when the daemon has said where it listens. */
async function startDaemon(
  scratch: ScratchHome,
  { port = 0, args = [], env = {}, nodeOptions = [], isByHand = false }: ServeOptions = {},
): Promise<{ readonly process: SylkProcess; readonly url: string }> {
  const started = scratch.start(["serve", "--http-port", String(port), "--json", ...args], {
    env,
    nodeOptions: [...(isByHand ? [] : daemonNodeOptions), ...nodeOptions],
  });
  let ended = false;
  void started.ended.then(() => (ended = true));
  const said = await until("the daemon answers or ends", () => ended || parsed(started.output())).catch(
    (cause: unknown) => {
      throw new Error(`the daemon said only: ${started.output()}${started.errors()}`, { cause });
    },
  );
  if (said === true) {
    const { code, stdout, stderr } = await started.ended;
    throw new Error(`the daemon ended with ${code}: ${stdout}${stderr}`);
  }
  return { process: started, url: said.url };
}

function parsed(text: string): { readonly url: string } | undefined {
  try {
    return JSON.parse(text) as { url: string };
  } catch {
    return undefined; // not all of it was written yet
  }
}
