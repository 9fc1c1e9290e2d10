/** How far the code index is, as a session is told at its start and as the status line shows it; a real daemon, real hooks. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { commitHeld, openHeldGit } from "./held-git.ts";
import { hookClient, runShell } from "./hook-client.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { writeTree } from "./scratch-home.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
const git = openHeldGit();
let sessions = 0;

beforeAll(async () => {
  daemon = await openScratchDaemon({
    env: { PATH: `${git.bin}:${process.env.PATH ?? ""}`, SYLK_INDEX_MAX_BYTES: String(1_048_576) },
  });
  await daemon.sylk(["install", "claude-code", "--yes"]);
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  git[Symbol.dispose]();
});

/** What a new session in the repository is told of the Librarian, and what its status line says of the index. */
async function toldIn(repository = daemon.repository): Promise<readonly [string | undefined, string | undefined]> {
  const settings = join(daemon.repository, ".claude", "settings.local.json");
  const session = `s-${++sessions}`;
  const { stdout } = await hookClient({ session, repository, env: daemon.env, settings }).start();
  expect(stdout).toContain("[sylk] coordination=active | work=0 ready | librarian=");
  const companions = repository === daemon.repository ? "3 companions" : "1 companion"; // the launcher is for all
  expect(stdout).toContain(` | budget=none | ${companions} available`);
  const { statusLine } = JSON.parse(readFileSync(settings, "utf8")) as { statusLine: { command: string } };
  const said = JSON.stringify({ session_id: session, cwd: repository });
  const line = await runShell(statusLine.command, said, daemon.env, repository);
  return [/librarian=([^|]*) \|/.exec(stdout)?.[1], /index ([^|]*?)(?: \||$)/.exec(line.stdout.trim())?.[1]];
}

it("a session's start and the status line tell how far the code index is: absent, indexing, indexed [STAT-3]", async () => {
  expect(await toldIn()).toEqual(["absent", undefined]);
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`src/f${at}.ts`, `export const f${at} = 1;\n`]),
  );
  commitHeld(daemon.repository, many);
  const openGate = git.close();
  const ask = (waitMs: number) => daemon.user.call("code.symbols", { name: "held", exact: true, waitMs });
  const { about } = await until("some files are read, and one is not", async () => {
    const answer = await ask(0);
    return answer.about.files > 20 && answer;
  });
  const percent = Math.floor((about.files / (about.files + about.notIndexed.waiting)) * 100);
  expect([percent > 20, percent < 100]).toEqual([true, true]);
  const [librarian, index] = await toldIn();
  expect(librarian).toMatch(/^indexing \d\d%$/);
  expect(index).toMatch(/^indexing \d\d %$/);
  openGate();
  expect((await ask(60_000)).items).toHaveLength(1);
  expect(await toldIn()).toEqual(["indexed", undefined]);
  await daemon.kill();
  await daemon.restart();
  expect(await toldIn(), "before any question to this daemon").toEqual(["indexed", undefined]);
});

it("a session's start and the status line say incomplete when the index has reached its size [STAT-3]", async () => {
  const large = daemon.addRepository("large");
  const text = (seed: number): string =>
    Array.from({ length: 600 }, (_, at) => `export function name${seed}x${at}() {}\n`).join("");
  writeTree(large, Object.fromEntries(Array.from({ length: 60 }, (_, seed) => [`many${seed}.ts`, text(seed)])));
  const ask = () => daemon.clientOf({ project: large }).call("code.symbols", { name: "name1x1", waitMs: 60_000 });
  const { about } = await ask();
  expect(about.failed).toMatchObject([{ provider: "syntax", reason: expect.stringContaining("(index.maxBytes)") }]);
  const [librarian, index] = await toldIn(large);
  expect(librarian).toMatch(/^incomplete \d+%$/);
  expect(index).toMatch(/^incomplete \d+ %$/);
});
