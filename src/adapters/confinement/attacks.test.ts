import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../platform/clock/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { createConfinement } from "./confinement.ts";
import { helperFile } from "./helper-script.ts";
import { attacks, attacksAs, noNamespaces } from "./testkit.ts";

const kept = "one\nuncommitted\n";
const isRoot = process.getuid?.() === 0;
/** As root, and as an ordinary user too: the two get their namespace in different ways. */
const users = isRoot
  ? [
      { name: "root", uid: 0 },
      { name: "an ordinary user", uid: 65_534 },
    ]
  : [{ name: "this user", uid: process.getuid!() }];

/** A repository with one held and one free file, and a way to run a command in it as the user. */
function openTree(uid: number, places: { readonly tree?: string } = {}) {
  const folder = scratchFolder();
  chmodSync(folder.path, 0o755);
  const helper = join(folder.path, "confine.pl");
  copyFileSync(helperFile(), helper);
  chmodSync(helper, 0o644);
  const tree = join(folder.path, places.tree ?? "tree");
  const file = join(tree, "src", "held.ts");
  const mend = (): void => {
    execFileSync("rm", ["-rf", tree]);
    mkdirSync(join(tree, "src"), { recursive: true });
    for (const name of ["held.ts", "free.ts"]) writeFileSync(join(tree, "src", name), "one\n");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: tree });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "both");
    writeFileSync(file, kept);
    if (isRoot) execFileSync("chown", ["-R", `${uid}:${uid}`, tree]);
  };
  mend();
  const confinement = createConfinement({ clock: systemClock(), installedHelper: helper, uid });
  const run = async (command: string, isConfined = true, cwd = tree) => {
    expect(await confinement.state()).toEqual({ enforced: true, by: "mount namespace" });
    const words = confinement.wordsFor(
      { readOnly: [file], pinned: [join(tree, "src")] },
      { agent: "agt_1", tree, must: true },
    );
    const [program, ...args] = [...(isConfined ? words : []), "bash", "-c", command];
    const { status, signal, stdout, stderr } = spawnSync(program, args, {
      cwd,
      env: { PATH: process.env["PATH"], HOME: tree },
      ...(isRoot ? { uid, gid: uid } : {}),
      encoding: "utf8",
      maxBuffer: 64 * 1_048_576,
    });
    return { status, signal, stdout, stderr };
  };
  const held = (): string | undefined => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return undefined;
    }
  };
  return { ...folder, tree, file, held, mend, run, confinement, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

beforeEach(({ skip }) => skip(noNamespaces !== "", noNamespaces));

describe.each(users)("as $name", ({ uid }) => {
  it.for(attacksAs(uid))("keeps the file: %s", async (attack) => {
    using world = openTree(uid);
    await world.run(attack);
    expect(world.held()).toBe(kept);
  });

  it("leaves everything else as it is: other files, exit code, signals, folder, names with spaces, output of 1 MB", async () => {
    using world = openTree(uid, { tree: "a tree 'of' \"odd\" names" });
    expect(await world.run("echo two > src/free.ts; mkdir new; pwd; exit 42")).toMatchObject({
      status: 42,
      stdout: `${world.tree}\n`,
      stderr: "",
    });
    expect(await world.run("pwd; cat ../src/free.ts", true, join(world.tree, "src"))).toMatchObject({
      status: 0,
      stdout: `${world.tree}/src\ntwo\n`,
    });
    expect(await world.run("kill -TERM $$")).toMatchObject({ status: null, signal: "SIGTERM" });
    expect((await world.run("head -c 1048576 /dev/zero | tr '\\0' x")).stdout).toHaveLength(1_048_576);
    expect(await world.run("printf 'b\\na\\n' | sort | (read -r first; echo $first)")).toMatchObject({ stdout: "a\n" });
    expect(await world.run("set -m; sleep 30 & jobs -r | wc -l; kill %1; wait %1 2>/dev/null; echo $?")).toMatchObject({
      stdout: expect.stringMatching(/^\s*1\n143\n$/),
    });
    expect((await world.run("id -u; id -g")).stdout).toBe(`${uid}\n${uid}\n`);
    expect(
      await world.run(
        "git -c user.name=t -c user.email=t@t commit -qm more src/free.ts && git mv src/free.ts src/moved.ts && git log --oneline | wc -l",
      ),
    ).toMatchObject({ stdout: expect.stringMatching(/^\s*2\n$/), stderr: "" });
    expect(
      await world.run(
        "git init -q --bare new/remote && git push -q new/remote HEAD:main && git -C new/remote log --oneline main | wc -l",
      ),
    ).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\s*2\n$/), stderr: "" });
    expect(world.held()).toBe(kept);
  });

  it("keeps a process in the background alive after its shell, and finds and frees it there", async () => {
    using world = openTree(uid);
    const { stdout } = await world.run(
      "setsid sh -c 'while [ ! -e stop ]; do sleep 0.02; done; echo $(echo now 2>&1 >> src/held.ts) > said' >/dev/null 2>&1 & echo $!",
    );
    // While a process becomes another program, its environment reads empty.
    const command = await vi.waitFor(async () => {
      const [found] = await world.confinement.running();
      expect(found).toBeDefined();
      return found;
    });
    try {
      expect(command).toMatchObject({ agent: "agt_1", tree: world.tree, readOnly: [world.file] });
      expect(await command!.change({ add: [join(world.tree, "src", "free.ts")], remove: [world.file] })).toEqual([]);
      expect((await world.confinement.running())[0]!.readOnly).toEqual([join(world.tree, "src", "free.ts")]);
    } finally {
      process.kill(Number(stdout), "SIGKILL");
    }
  });
});

it("would lose the file to each of these without a confinement: they are attacks", async () => {
  using world = openTree(users[0]!.uid);
  const harmless: string[] = [];
  // Those need a mount to undo, and are no attack without one.
  for (const attack of attacks.filter((one) => !/mount|nsenter|\/proc\//.test(one))) {
    await world.run(attack, false);
    if (world.held() === kept) harmless.push(attack);
    world.mend();
  }
  expect(harmless).toEqual([]);
});
