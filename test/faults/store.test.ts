/** The store's disk is full, broken or taken away under a running daemon. */
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../src/contract/index.ts";
import { jsonOf } from "../flows/run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { openScratchHome } from "../flows/scratch-home.ts";
import { until } from "../flows/until.ts";
import { waysInto } from "../flows/ways-in.ts";
import { expectDoneEveryWay, expectRefusedEveryWay, expectTold, expectWellAgain } from "./every-way.ts";

const full =
  /The store cannot be used: its disk is full \(.+\); nothing was changed; free some space and repeat: no restart is needed/;
const broken =
  /The store cannot be used: its disk reports an error \(disk I\/O error\); nothing was changed; check the disk and its limits, then repeat/;
const lost =
  /The store cannot be used: sylk\.db was removed or replaced while the daemon ran.*put it back, or start with the store that is there now: sylk down && sylk up/;

describe("a full disk", () => {
  it("refuses every change and says so everywhere; reading continues, and room is found without a restart [CORE-17, HLTH-7]", async () => {
    const preload = join(import.meta.dirname, "small-store.ts");
    await using daemon = await openScratchDaemon({ nodeOptions: ["--import", preload] });
    await using ways = waysInto(daemon);
    await expectDoneEveryWay(daemon, ways.all, "before");
    const { pid } = daemon;
    process.kill(pid, "SIGUSR2");
    await fill(daemon);
    await expectRefusedEveryWay(daemon, ways.all, full);
    await expectTold(daemon, ways.all, full);
    await until("it is an incident with its cause", async () => {
      const { incidents } = await daemon.user.call("health.show", {});
      return incidents.some(({ cause }) => cause === "disk-full");
    });
    process.kill(pid, "SIGUSR2");
    await until("there is room", () => tryChange(daemon, "room", 90_000));
    await expectWellAgain(daemon, ways.all, pid);
  });

  it("is not the daemon's end where a file may not grow any more", async ({ skip }) => {
    skip(!hasPrlimit(), "prlimit is not installed");
    await using daemon = await openScratchDaemon();
    await using ways = waysInto(daemon);
    await expectDoneEveryWay(daemon, ways.all, "before");
    const { pid } = daemon;
    limitFiles(pid, String(statSync(`${daemon.paths.database}-wal`).size));
    await fill(daemon);
    await expectRefusedEveryWay(daemon, ways.all, broken);
    await expectTold(daemon, ways.all, broken);
    limitFiles(pid, "unlimited");
    await until("there is room", () => tryChange(daemon, "room", 90_000));
    await expectWellAgain(daemon, ways.all, pid);
  });
});

describe("a store that is taken away", () => {
  it("under a running daemon: nothing is acknowledged into a lost file, and it continues when it is back [CORE-17, HLTH-7]", async () => {
    await using daemon = await openScratchDaemon();
    await using ways = waysInto(daemon);
    const { pid, paths } = daemon;
    await expectDoneEveryWay(daemon, ways.all, "before");
    const aside = join(daemon.root, "aside.db");
    renameSync(paths.database, aside);
    await expectRefusedEveryWay(daemon, ways.all, lost);
    mkdirSync(paths.database);
    await expectRefusedEveryWay(daemon, ways.all.slice(0, 1), lost);
    await expectTold(daemon, ways.all, lost);
    rmSync(paths.database, { recursive: true });
    renameSync(aside, paths.database);
    await expectWellAgain(daemon, ways.all, pid);
  });

  it.each([
    ["a folder", (place: string): void => mkdirSync(place), /is damaged \(it is a folder\) and was not touched/],
    [
      "a pipe",
      (place: string): void => void execFileSync("mkfifo", [place]),
      /its disk reports an error|its file cannot be opened/,
    ],
    [
      "a file nobody may read",
      (place: string): void => writeFileSync(place, "", { mode: 0 }),
      /its file cannot be opened/,
    ],
  ] as const)(
    "before the start, by %s: no start, exit code 7 and the way out [CORE-17]",
    async (_, occupy, sentence) => {
      await using home = openScratchHome();
      mkdirSync(home.paths.home, { mode: 0o700 });
      occupy(home.paths.database);
      const run = await home.sylk(["serve", "--json"], ordinaryUser(home.root));
      expect(run.code).toBe(7);
      expect(jsonOf(run)).toMatchObject({ error: { message: expect.stringMatching(sentence) } });
      for (const words of [["up"], ["work", "add", "x"]]) {
        const { code, stderr } = await home.sylk(words, ordinaryUser(home.root));
        expect(code).toBe(7);
        expect(stderr).toMatch(/The daemon ended before it answered: .*The store .*(cannot be used|is damaged)/s);
        expect(stderr).not.toContain("A defect in Sylk");
      }
    },
  );
});

/** Until even a small change finds no room. */
async function fill(daemon: ScratchDaemon): Promise<void> {
  for (const bytes of [90_000, 10])
    await until(`a change of ${bytes} bytes is refused`, async () => !(await tryChange(daemon, "filling", bytes)));
}

async function tryChange({ user }: ScratchDaemon, title: string, bytes: number): Promise<boolean> {
  try {
    await user.call("work-item.create", { title, body: "y".repeat(bytes) });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === "store.unavailable") return false;
    throw error;
  }
}

function hasPrlimit(): boolean {
  try {
    execFileSync("prlimit", ["--version"]);
    return true;
  } catch {
    return false;
  }
}

function limitFiles(pid: number, bytes: string): void {
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]);
}

/** To root every file is readable. */
function ordinaryUser(root: string): { readonly uid?: number } {
  if (process.getuid?.() !== 0) return {};
  execFileSync("chown", ["-R", "65534:65534", root]);
  return { uid: 65_534 };
}
