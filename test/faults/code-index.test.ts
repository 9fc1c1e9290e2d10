/** The code index on a machine that has no room: disk and memory run short in a real daemon with its threads. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SylkClient } from "../../src/surfaces/client/index.ts";
import { commitHeld, openHeldGit } from "../flows/held-git.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { writeTree } from "../flows/scratch-home.ts";
import { until } from "../flows/until.ts";
import { jsonOf } from "../flows/run-sylk.ts";

const count = 60;
const preload = ["--import", join(import.meta.dirname, "small-machine.ts")];
const text = (seed: number): string =>
  Array.from({ length: 200 }, (_, at) => `export function name${seed}x${at}() {}\n`).join("");
const files = Object.fromEntries(Array.from({ length: count }, (_, seed) => [`many${seed}.ts`, text(seed)]));

async function smallMachine(small: Readonly<Record<string, number>>, bin = "") {
  const folder = join(process.env["TMPDIR"] ?? "/tmp", `sy-small-${process.pid}-${Object.keys(small).join("-")}`);
  mkdirSync(folder, { recursive: true });
  const be = (values: Readonly<Record<string, number>>): void => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    for (const [name, value] of Object.entries(values)) writeFileSync(join(folder, name), String(value));
  };
  be(small);
  const daemon = await openScratchDaemon({
    nodeOptions: preload,
    env: { SYLK_TEST_SMALL: folder, PATH: `${bin}:${process.env["PATH"] ?? ""}` },
  });
  writeTree(daemon.repository, files);
  const ask = (name: string, waitMs = 60_000) => daemon.user.call("code.symbols", { name, exact: true, waitMs });
  const dispose = async (): Promise<void> => {
    await daemon[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  };
  return { daemon, be, ask, restart: () => restarted(daemon), [Symbol.asyncDispose]: dispose };
}

async function restarted(daemon: ScratchDaemon): Promise<void> {
  await daemon.kill();
  await daemon.restart({ nodeOptions: preload });
}

async function expectWhole(ask: (name: string) => ReturnType<SylkClient["call"]>): Promise<void> {
  for (const seed of [0, count - 1])
    expect(await ask(`name${seed}x7`)).toMatchObject({
      items: [{ path: `many${seed}.ts`, line: 8 }],
      about: { notIndexed: { count: 0, waiting: 0 }, failed: [] },
    });
}

it("a full disk stops reading with its reason, what was read answers, and the rest follows when there is room", async () => {
  await using machine = await smallMachine({ "index-pages": 250 });
  const { daemon, ask } = machine;
  const { about } = await ask("name0x7");
  expect(about.failed).toEqual([{ provider: "syntax", reason: "Reading stopped: the disk is full" }]);
  expect([about.files > 0, about.notIndexed.waiting > 0]).toEqual([true, true]);
  const { exists } = await daemon.user.call("code.find", { text: "zanzibarOfNowhere", waitMs: 0 });
  expect(exists, "not read is not absent").toBe("unknown");
  const readable = await until("a file that was read answers", async () => {
    const found = await Promise.all(Array.from({ length: count }, (_, seed) => ask(`name${seed}x7`, 0)));
    return found.find(({ items }) => items.length === 1);
  });
  expect(readable.items).toHaveLength(1);
  expect((await daemon.sylk(["work", "add", "the store is another file"])).code).toBe(0);
  machine.be({});
  await machine.restart();
  await expectWhole(ask);
});

it("short memory ends a parse under way, says how much is free, and the rest is read when there is more", async () => {
  using git = openHeldGit();
  await using machine = await smallMachine({ "free-mb": 127, "free-after": 40 }, git.bin);
  commitHeld(machine.daemon.repository, {});
  const open = git.close(); // one file is never read to its end
  const { about } = await machine.ask("name0x7", 10_000);
  expect(about.failed).toEqual([{ provider: "syntax", reason: "Reading stopped: only 127 MB of memory are free" }]);
  expect([about.files > 0, about.notIndexed.waiting > 0]).toEqual([true, true]);
  open();
  machine.be({ "free-mb": 128 }); // the least that is enough
  await machine.restart();
  await expectWhole(machine.ask);
});

it("a damaged index is built again by itself, which is said once", async () => {
  await using daemon = await openScratchDaemon();
  const ask = () => daemon.user.call("code.symbols", { name: "checkout", waitMs: 60_000 });
  const { items } = await ask();
  await daemon.kill();
  const folder = join(daemon.paths.home, "index");
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "no index ".repeat(1_000));
  await daemon.restart();
  const first = await ask();
  expect([first.items, first.about.notIndexed.count]).toEqual([items, 0]);
  expect(first.about.notes).toEqual([expect.stringMatching(/^The code index was damaged .* and is built again/)]);
  expect((await ask()).about.notes).toEqual([]);
});

it("the size of an index is 500 MB and a tree is kept 30 days, unless set otherwise", async () => {
  await using daemon = await openScratchDaemon();
  const { settings } = jsonOf<{ settings: { key: string; value: unknown; origin: string }[] }>(
    await daemon.sylk(["config", "show", "--json"]),
  );
  const own = settings.filter(({ key }) => key.startsWith("index."));
  expect(own.map(({ key, value, origin }) => [key, value, origin])).toEqual([
    ["index.maxBytes", 524_288_000, "default"],
    ["index.keepDays", 30, "default"],
  ]);
});
