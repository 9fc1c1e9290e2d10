import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { scratchFolder } from "../store/testkit.ts";
import { takeProcessLock } from "../store/index.ts";
import { holdHome } from "./home-hold.ts";
import { homeCheckMs, watchHome } from "./watch-home.ts";

function watchedHome(folder: string) {
  const home = join(folder, "home");
  const paths = {
    home,
    lock: join(home, "daemon.lock"),
    socket: join(home, "sylk.sock"),
    record: join(home, "daemon.json"),
  };
  mkdirSync(home);
  const lock = takeProcessLock(paths.lock)!;
  const told: string[] = [];
  const clock = manualClock();
  const make = (file: string) => () => writeFileSync(file, "made");
  for (const file of [paths.socket, paths.record]) make(file)();
  const hold = holdHome(paths, lock.isHeld);
  const watch = watchHome({
    paths,
    hold,
    clock,
    make: { socket: make(paths.socket), record: make(paths.record) },
    onLost: (reason) => told.push(reason),
    onMade: (file) => told.push(`made ${file}`),
    onFailed: (_, error) => told.push(String(error)),
  });
  return {
    paths,
    hold,
    watch,
    told,
    /** Lets the watch look, and finish what it then does. */
    async look() {
      clock.advance(homeCheckMs);
      await new Promise((resolve) => setImmediate(resolve));
    },
    [Symbol.dispose]: () => lock.release(),
  };
}

it("looks every two seconds, so that with the end of the daemon 5 s are kept", () => {
  expect(homeCheckMs).toBe(2_000);
});

it("makes a removed or replaced socket and record again, each once, and is quiet while all is there", async () => {
  using folder = scratchFolder();
  using home = watchedHome(folder.path);
  const { paths, told, look } = home;
  await look();
  expect(told).toEqual([]);
  rmSync(paths.socket);
  await look();
  rmSync(paths.record);
  writeFileSync(paths.record, "another's");
  await look();
  await look();
  expect(told).toEqual([`made ${paths.socket}`, `made ${paths.record}`]);
});

it("tells a failure once, and tries again", async () => {
  using folder = scratchFolder();
  using home = watchedHome(folder.path);
  const { paths, told, look } = home;
  rmSync(paths.socket);
  mkdirSync(paths.socket);
  await look();
  await look();
  expect(told).toEqual([expect.stringContaining("EISDIR")]);
  rmSync(paths.socket, { recursive: true });
  await look();
  expect(told.at(-1)).toBe(`made ${paths.socket}`);
});

type Loss = readonly [reason: string, lose: (paths: { readonly home: string; readonly lock: string }) => void];

it.each<Loss>([
  ["home was removed or moved", ({ home }) => rmSync(home, { recursive: true })],
  ["home was removed or moved", ({ home }) => renameSync(home, `${home}-2`)],
  [
    "home was replaced by another folder",
    ({ home }) => {
      renameSync(home, `${home}-2`);
      mkdirSync(home);
    },
  ],
  ["daemon.lock was removed", ({ lock }) => rmSync(lock)],
  [
    "daemon.lock was replaced, by another daemon or by hand",
    ({ lock }) => {
      renameSync(lock, `${lock}-2`);
      writeFileSync(lock, "");
    },
  ],
])("tells once that %s, makes nothing again, and refuses changes from that moment", async (reason, lose) => {
  using folder = scratchFolder();
  using home = watchedHome(folder.path);
  const { paths, hold, told, look } = home;
  hold.check();
  lose(paths);
  expect(() => hold.check()).toThrow(
    expect.objectContaining({ code: "store.unavailable", message: expect.stringContaining(reason) }),
  );
  await look();
  await look();
  expect(told).toEqual([expect.stringContaining(reason)]);
});

it("has its home again when it was moved away and back before anyone looked", async () => {
  using folder = scratchFolder();
  using home = watchedHome(folder.path);
  renameSync(home.paths.home, `${home.paths.home}-2`);
  expect(home.hold.whyLost()).toBeDefined();
  renameSync(`${home.paths.home}-2`, home.paths.home);
  expect(home.hold.whyLost()).toBeUndefined();
  await home.look();
  expect(home.told).toEqual([]);
});
