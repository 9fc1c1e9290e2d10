/**
 * The demo's scene of clients that were started elsewhere: their hooks are put in, what they send goes through the very
 * launcher that they start, a write that no hook can judge is met by the kernel and undone from local history, and they
 * are taken out again.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { connectToDaemon } from "../connect.ts";
import { entryPoints } from "../entry-points.ts";
import type { DemoWorld } from "./demo-world.ts";
import { type ProtectionFacts, showProtection } from "./protection.ts";

type HookFacts = ProtectionFacts & {
  readonly denied: boolean;
  readonly committed: readonly string[];
  readonly clean: boolean;
};

const file = "README.md";

export async function playHooks(world: DemoWorld): Promise<HookFacts> {
  const { out, user, repository, env, paths } = world;
  out.line();
  out.line(out.paint("bold", "4  Claude Code and Codex, by their own hooks"));
  const { plan } = await entryPoints().clients();
  const terms = { scope: "local", cwd: repository, env, paths } as const;
  for (const client of ["claude-code", "codex"]) plan("install", client, terms)?.apply();
  out.line(`  ${out.paint("green", "installed")}  hooks of both, and a commit gate`);

  const claude = hooksOf("claude-code", "demo-monday", world);
  const codex = hooksOf("codex", "demo-tuesday", world);
  const before = await user.call("agent.list", { limit: 500 });
  claude("SessionStart", { source: "startup" });
  const { items } = await user.call("agent.list", { limit: 500 });
  const agent = items.find(({ id }) => !before.items.some((other) => other.id === id));
  if (agent === undefined) throw new Error("the session was not registered");
  claude("PreToolUse", { tool_name: "Edit", tool_input: { file_path: join(repository, file) } });
  out.line(
    `  ${agent.name.padEnd(7)} edits ${file} in Claude Code  ${out.paint("green", "reserved by the edit itself")}`,
  );
  const denial = codex("PreToolUse", { tool_name: "Bash", tool_input: { command: `sed -i s/shop/store/ ${file}` } });
  out.line(`  another runs "sed -i … ${file}" in Codex  ${out.paint("red", "denied")}`);
  out.line(`          ${denial.text.split("; ")[0]}`);

  appendFileSync(join(repository, file), "\nPrices are in cents.\n");
  claude("PostToolBatch", {
    tool_calls: [{ tool_name: "Edit", tool_input: { file_path: join(repository, file) }, tool_response: {} }],
  });
  const protection = await showProtection(world, file);
  const own = await connectToDaemon({ paths, env, project: repository, actAs: agent.id });
  const made = await own.call("commit.create", { message: "Say what prices are in", paths: [file], tree: repository });
  out.line(
    `  ${agent.name.padEnd(7)} commits ${made.paths.join(", ")}, and nothing else that others have staged or changed`,
  );
  for (const end of [claude, codex]) end("SessionEnd", { reason: "other" });
  for (const client of ["claude-code", "codex"]) plan("uninstall", client, terms)?.apply();
  const left = execFileSync("git", ["status", "--porcelain", "--ignored"], {
    cwd: repository,
    env: { ...env },
    encoding: "utf8",
  });
  out.line(`  uninstalled: ${left === "" ? out.paint("green", "no trace of either is left") : left}`);
  return { ...protection, denied: denial.code === 2, committed: made.paths, clean: left === "" };
}

type Hook = (event: string, fields: object) => { readonly code: number | null; readonly text: string };

function hooksOf(client: string, session: string, { home, repository, env }: DemoWorld): Hook {
  const launcher = join(home, "hooks", "sylk-hook");
  return (event, fields) => {
    const input = JSON.stringify({ session_id: session, cwd: repository, hook_event_name: event, ...fields });
    const { status, stderr } = spawnSync("sh", [launcher, client, event], {
      cwd: repository,
      env: { ...env },
      input,
      encoding: "utf8",
    });
    return { code: status, text: stderr.trim() };
  };
}
