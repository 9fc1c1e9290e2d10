/** The demo's world: a temporary home and a small repository with its own git identity; nothing of the user's is touched. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent } from "../../../contract/index.ts";
import { homePaths, readDaemonRecord, type HomePaths } from "../../../platform/home/index.ts";
import type { SylkClient } from "../../client/index.ts";
import { connectToDaemon } from "../connect.ts";
import { ensureDaemon } from "../daemon-link.ts";
import { down } from "../commands/down.ts";
import type { Output } from "../output.ts";

type Env = Readonly<Record<string, string | undefined>>;
export type DemoAgent = { readonly agent: Agent; readonly client: SylkClient };
export type DemoWorld = {
  readonly home: string;
  readonly repository: string;
  readonly out: Output;
  readonly user: SylkClient;
  readonly heron: DemoAgent;
  readonly otter: DemoAgent;
  daemonPid(): number;
  close(): Promise<void>;
};

export async function openDemoWorld(surroundings: Env, out: Output): Promise<DemoWorld> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "sylk-demo-")));
  const home = join(root, "home");
  const repository = join(root, "shop");
  const env = demoEnv(surroundings, home);
  const paths = homePaths(env);
  out.line(out.paint("bold", "Sylk demo: two agents, one repository"));
  out.line(out.paint("dim", `home ${home}`));
  const close = async (): Promise<void> => {
    await stopDaemon(paths, env, out);
    rmSync(root, { recursive: true, force: true });
  };
  try {
    makeRepository(repository, root, env);
    await out.progress("starting the daemon", ensureDaemon(paths, env));
    const user = await connectToDaemon({ paths, env, project: repository, actAs: undefined });
    const join_ = (name: string, client: "claude-code" | "codex") =>
      joinAs(name, client, { paths, env, repository, user, out });
    const [heron, otter] = [await join_("heron", "claude-code"), await join_("otter", "codex")];
    return { home, repository, out, user, heron, otter, close, daemonPid: () => readDaemonRecord(paths.record)!.pid };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The user's own agent identity must not leak into the demo's. */
function demoEnv(surroundings: Env, home: string): Env {
  const { SYLK_TOKEN: _token, SYLK_AGENT: _agent, ...rest } = surroundings;
  return { ...rest, SYLK_HOME: home, SYLK_HTTP_PORT: "0" };
}

function makeRepository(repository: string, root: string, env: Env): void {
  mkdirSync(join(repository, "src"), { recursive: true });
  writeFileSync(join(repository, "README.md"), "# A small shop\n");
  writeFileSync(
    join(repository, "src", "checkout.ts"),
    "export const total = (prices: number[]) => prices.reduce((sum, price) => sum + price, 0);\n",
  );
  const gitEnv = { ...env, HOME: root, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" } as NodeJS.ProcessEnv;
  const git = (...args: string[]): void =>
    void execFileSync("git", ["-c", "user.name=Sylk Demo", "-c", "user.email=demo@sylk.invalid", ...args], {
      cwd: repository,
      env: gitEnv,
      stdio: "ignore",
    });
  git("init", "--initial-branch=main");
  git("add", ".");
  git("commit", "--message", "A small shop");
}

type JoinTerms = {
  readonly paths: HomePaths;
  readonly env: Env;
  readonly repository: string;
  readonly user: SylkClient;
  readonly out: Output;
};

async function joinAs(
  name: string,
  client: "claude-code" | "codex",
  { paths, env, repository, user, out }: JoinTerms,
): Promise<DemoAgent> {
  const { agent, token } = await user.call("agent.register", {
    sessionKey: `demo-${name}`,
    client,
    project: { path: repository },
    name,
  });
  out.line(`  ${out.paint("green", "joined")}  ${name} (${client})`);
  return {
    agent,
    client: await connectToDaemon({ paths, env: { ...env, SYLK_TOKEN: token }, project: repository, actAs: undefined }),
  };
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
