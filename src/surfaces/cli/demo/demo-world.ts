/** The demo's world: a temporary home and the sample repository with a git identity of its own; nothing of the user's is touched. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import type { Agent, ClientName } from "../../../contract/index.ts";
import { homePaths, readDaemonRecord, readUserToken, type HomePaths } from "../../../platform/home/index.ts";
import type { SylkClient } from "../../client/index.ts";
import { down } from "../commands/down.ts";
import { connectToDaemon } from "../connect.ts";
import { entryPoints, type TrialResult } from "../entry-points.ts";
import { ensureDaemon } from "../daemon-link.ts";
import type { Output } from "../output.ts";
import { sampleShop } from "../samples.ts";

type Env = Readonly<Record<string, string | undefined>>;
export type DemoAgent = { readonly agent: Agent; readonly client: SylkClient };
export type DemoWorld = {
  readonly root: string;
  readonly home: string;
  readonly paths: HomePaths;
  readonly env: Env;
  readonly repository: string;
  readonly out: Output;
  readonly signal: AbortSignal;
  readonly user: SylkClient;
  readonly heron: DemoAgent;
  readonly otter: DemoAgent;
  /** By a trial; without one that works the run's commands, all of them the demo's own, are not sandboxed. */
  readonly sandbox: TrialResult;
  /** The user's identity, for streams. */
  headers(): Record<string, string>;
  join(name: string, client: ClientName, tree: string): Promise<DemoAgent>;
  daemonPid(): number;
  close(): Promise<void>;
};

export async function openDemoWorld(surroundings: Env, out: Output, signal: AbortSignal): Promise<DemoWorld> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "sylk-demo-")));
  const home = join(root, "home");
  const repository = join(root, "shop");
  const sandbox = await (await entryPoints().clients()).trySandbox({ network: false });
  const env = demoEnv(surroundings, { home, root, sandbox: sandbox.enforced ? "on" : "off" });
  const paths = homePaths(env);
  out.line(out.paint("bold", "Sylk demo: many agents, one repository, nothing lost"));
  out.line(out.paint("dim", `home ${home}`));
  const close = async (): Promise<void> => {
    await stopDaemon(paths, env, out);
    // What it started may write a last line while it goes.
    rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  try {
    makeRepository(repository, env);
    await out.progress("starting the daemon", ensureDaemon(paths, env));
    const user = await connectToDaemon({ paths, env, project: repository, actAs: undefined });
    const join_ = async (name: string, client: ClientName, tree: string): Promise<DemoAgent> => {
      const { agent, token } = await user.call("agent.register", {
        sessionKey: `demo-${name}`,
        client,
        project: { path: tree },
        name,
      });
      return {
        agent,
        client: await connectToDaemon({ paths, env: { ...env, SYLK_TOKEN: token }, project: tree, actAs: undefined }),
      };
    };
    const [heron, otter] = [await join_("heron", "claude-code", repository), await join_("otter", "codex", repository)];
    out.line(`  ${out.paint("green", "joined")}  heron (claude-code), otter (codex)`);
    const headers = (): Record<string, string> => ({ authorization: `Bearer ${readUserToken(paths.token) ?? ""}` });
    return {
      root,
      home,
      paths,
      env,
      repository,
      out,
      signal,
      user,
      heron,
      otter,
      sandbox,
      headers,
      join: join_,
      close,
      daemonPid: () => readDaemonRecord(paths.record)!.pid,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The user's own agent identity must not leak into the demo's; its commands run with the Node that runs us. */
function demoEnv(
  surroundings: Env,
  { home, root, sandbox }: { readonly home: string; readonly root: string; readonly sandbox: "on" | "off" },
): Env {
  const identity = new Set([
    "SYLK_TOKEN",
    "SYLK_AGENT",
    ...entryPoints().sessionVariables.map(({ variable }) => variable),
  ]);
  const rest = Object.fromEntries(Object.entries(surroundings).filter(([name]) => !identity.has(name)));
  const path = [dirname(process.execPath), rest.PATH ?? ""].join(delimiter);
  return {
    ...rest,
    PATH: path,
    HOME: root,
    SYLK_HOME: home,
    SYLK_HTTP_PORT: "0",
    SYLK_RUNS_SANDBOX: sandbox,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  };
}

function makeRepository(repository: string, env: Env): void {
  cpSync(sampleShop(), repository, { recursive: true });
  const git = (...args: string[]): void =>
    void execFileSync("git", args, { cwd: repository, env: { ...env }, stdio: "ignore" });
  git("init", "--initial-branch=main");
  git("config", "user.name", "Sylk Demo");
  git("config", "user.email", "demo@sylk.invalid");
  git("add", ".");
  git("commit", "--message", "A small shop");
}

async function stopDaemon(paths: HomePaths, env: Env, out: Output): Promise<void> {
  const quiet: Output = { ...out, line: () => {} };
  await down.run({
    args: [],
    flags: {},
    json: false,
    out: quiet,
    env,
    cwd: paths.home,
    paths,
    connect: () => Promise.reject(new Error("not needed")),
    signal: new AbortController().signal,
  });
}
