import { relative, resolve } from "node:path";
import type { WrittenCommand } from "../command.ts";
import { openDemoWorld } from "../demo/demo-world.ts";
import { playCode } from "../demo/code-scene.ts";
import { showDashboard } from "../demo/dashboard-scene.ts";
import { playGraph } from "../demo/graph-scene.ts";
import { playHooks } from "../demo/hook-scene.ts";
import { playKnowledge } from "../demo/knowledge-scene.ts";
import { playRun } from "../demo/run-scene.ts";
import { playCollision, playFinding, playRace, showSafekeeping, showTimeline } from "../demo/scenes.ts";
import type { Output } from "../output.ts";

type Env = Readonly<Record<string, string | undefined>>;

export const demo: WrittenCommand = {
  summary: "Watch a demo: agents that collide, a request run to its end, a crash in the middle",
  example: "sylk demo --keep",
  details: "Runs in a temporary home with its own git identity; your files stay untouched.",
  flags: { keep: { describe: "keep the daemon running and print how to reach it" } },
  async run({ env, flags, out, json, signal }) {
    const say = json ? silent(out) : out;
    const world = await openDemoWorld(env, say, signal);
    try {
      const facts = {
        ...(await playCollision(world)),
        ...(await playRace(world)),
        ...(await playFinding(world)),
        ...(await playHooks(world)),
        ...(await playRun(world)),
        ...(await playGraph(world)),
        ...(await playCode(world)),
        ...(await playKnowledge(world)),
        ...(await showTimeline(world)),
        ...(await showSafekeeping(world)),
        ...(await showDashboard(world)),
      };
      if (json) out.json({ home: world.home, repository: world.repository, kept: flags.keep === true, ...facts });
    } finally {
      if (flags.keep !== true) await world.close();
    }
    whatToTryNext(say, env, flags.keep === true ? world : undefined);
    showOwnRepository(say, env);
  },
};

function whatToTryNext(
  out: Output,
  env: Env,
  kept: { readonly home: string; readonly repository: string } | undefined,
): void {
  const sylk = commandLine(env);
  out.line();
  out.line(out.paint("bold", "What to try next"));
  if (kept === undefined) {
    out.line(
      env.npm_lifecycle_event === "start"
        ? "  npm start -- --keep   # the same, and keeps running so that you can look around"
        : `  ${sylk} demo --keep   # the same, and keeps running so that you can look around`,
    );
    out.line(`  ${sylk} --help   # every command, each with an example`);
    out.line(`  ${sylk} doctor   # check this installation`);
    return;
  }
  out.line(`  export SYLK_HOME=${kept.home}`);
  out.line(`  ${sylk} who -C ${kept.repository}`);
  out.line(`  ${sylk} reservations -C ${kept.repository}`);
  out.line(`  ${sylk} reserve README.md --reason "mine now" -C ${kept.repository}`);
  out.line(`  ${sylk} events -C ${kept.repository}`);
  out.line(`  ${sylk} dashboard`);
  out.line(`  ${sylk} down   # stops it`);
}

function showOwnRepository(out: Output, env: Env): void {
  const line = commandLine(env);
  // A path relative to this folder means nothing in another one.
  const sylk = line === "sylk" ? line : `node ${resolve(line.slice("node ".length))}`;
  out.line();
  out.line(out.paint("bold", "In your own repository"));
  out.line("  cd <your repository>");
  out.line(`  ${sylk} install claude-code   # its sessions reserve what they edit; codex, gemini, opencode too`);
  out.line(`  ${sylk} provider add --help   # the model that runs use`);
  out.line(`  ${sylk} run "<what you want>"   # plan, engineers, your own tests, a branch to merge`);
}

/** How this very program can be called again from the user's folder. */
function commandLine(env: Env): string {
  if (env.npm_lifecycle_event === "start") return "node bin/sylk.cjs";
  const script = process.argv[1] ?? "sylk";
  return /(^|\/)sylk$/.test(script) ? "sylk" : `node ${relative(process.cwd(), script) || script}`;
}

function silent(out: Output): Output {
  return { ...out, line: () => {}, paragraph: () => {}, note: () => {}, table: () => {} };
}
