/**
 * One file has one name, and one grant has one token, on every surface: HTTP, MCP, the command line, a client's hook,
 * `git commit`. One daemon; each test has files of its own.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hookClient } from "./hook-client.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { waysInto } from "./ways-in.ts";

let daemon: ScratchDaemon;
let ways: ReturnType<typeof waysInto>;
let heron: ScratchAgent;
let otter: ScratchAgent;

beforeAll(async () => {
  daemon = await openScratchDaemon({ env: { SYLK_RESERVATIONS_MAX_PER_AGENT: "1000" } });
  const { code, stderr } = await daemon.sylk(["install", "claude-code", "--yes"]);
  if (code !== 0) throw new Error(stderr);
  git(["config", "user.name", "Ada"], daemon.env);
  git(["config", "user.email", "ada@sylk.invalid"], daemon.env);
  ways = waysInto(daemon);
  [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
});
afterAll(async () => {
  await ways?.[Symbol.asyncDispose]();
  await daemon?.[Symbol.asyncDispose]();
});

const codeOf = (body: unknown): string | undefined => (body as { error?: { code: string } }).error?.code;
const reserved = async ({ client }: ScratchAgent, ...paths: string[]) =>
  (await client.call("reservation.acquire", { paths })).reservation;

describe("a fencing token", () => {
  it("is good for the hold and the path it was issued for, and refused for any other over HTTP, MCP and the command line [RSV-17]", async () => {
    const [a, b] = ["fenced/a.ts", "fenced/b.ts"];
    const first = await reserved(heron, a);
    const foreign = await reserved(otter, "fenced/otter.ts");
    const other = await reserved(heron, "fenced/c.ts");
    const wider = await reserved(heron, a, b);
    const over = await reserved(heron, "fenced/over.ts");
    await heron.client.call("reservation.release", { id: over.id });
    const good = [
      [first.fencingToken, a],
      [wider.fencingToken, a],
      [wider.fencingToken, b],
    ] as const;
    const bad = [
      [first.fencingToken, b],
      [foreign.fencingToken, a],
      [other.fencingToken, a],
      [other.fencingToken, b],
      [over.fencingToken, "fenced/over.ts"],
      [wider.fencingToken + 1_000, a],
    ] as const;
    for (const way of ways.all)
      for (const name of ["reservation.check", "reservation.acquire"] as const) {
        const ask = async ([fencingToken, path]: readonly [number, string]) => {
          const { ok, body } = await way.call(name, { paths: [path], fencingToken }, { token: heron.token });
          return [way.name, name, fencingToken, path, ok ? "accepted" : codeOf(body)];
        };
        for (const one of good) expect(await ask(one)).toEqual([way.name, name, ...one, "accepted"]);
        for (const one of bad) expect(await ask(one)).toEqual([way.name, name, ...one, "lease.lost"]);
      }
  });

  it("of another path, another agent or no grant at all stops sylk commit and git commit, the right one does not [RSV-17]", async () => {
    const [a, b] = ["gated/a.ts", "gated/b.ts"];
    const [first, foreign, second] = [
      await reserved(heron, a),
      await reserved(otter, "gated/otter.ts"),
      await reserved(heron, b),
    ];
    await reserved(heron, a, "gated/c.ts"); // widened: the numbers above are now between two of its tokens
    const env = { ...daemon.env, SYLK_AGENT: heron.agent.id };
    write(a, b);
    for (const token of [foreign.fencingToken, second.fencingToken, 999_999, 0, "none"]) {
      const proof = { ...env, SYLK_FENCING_TOKEN: String(token) };
      git(["add", a], env);
      const stopped = git(["commit", "-q", "-m", "x"], proof);
      expect([token, stopped.status]).toEqual([token, 1]);
      expect(stopped.stderr).toMatch(/lease\.lost|input\.invalid/);
      const { code } = await daemon.sylk(["commit", "-m", "x", a], { env: proof });
      expect([token, code]).toEqual([token, token === 0 || token === "none" ? 2 : 5]);
      const flagged = await daemon.sylk(["commit", "-m", "x", a, "--fencing-token", String(token)], { env });
      expect([token, flagged.code]).toEqual([token, token === 0 || token === "none" ? 2 : 5]);
    }
    git(["add", a, b], env);
    expect(
      git(["commit", "-q", "-m", "x"], { ...env, SYLK_FENCING_TOKEN: String(first.fencingToken) }).stderr,
    ).toContain(`Token ${first.fencingToken} was issued for ${a}, not for "${b}"`);
    git(["restore", "--staged", b], env);
    expect(git(["commit", "-q", "-m", "x"], { ...env, SYLK_FENCING_TOKEN: String(first.fencingToken) })).toMatchObject({
      status: 0,
      stderr: "",
    });
    const made = await daemon.sylk(["commit", "-m", "x", b], {
      env: { ...env, SYLK_FENCING_TOKEN: String(second.fencingToken) },
    });
    expect(made.code).toBe(0);
  });
});

describe("a file", () => {
  it("held by one spelling is taken under every other, over HTTP, MCP, the command line and a hook [RSV-18]", async () => {
    write("names/lib/cafe\u0301/a.ts");
    link("names/link.ts", "lib/cafe\u0301/a.ts");
    link("names/folder", "lib");
    const spellings = [
      "names/lib/cafe\u0301/a.ts",
      "names/lib/caf\u00e9/a.ts",
      "names/link.ts",
      "names/folder/cafe\u0301/a.ts",
      "./names/../names/./link.ts",
    ];
    for (const held of spellings) {
      const { id, paths } = await reserved(heron, held);
      expect(paths).toEqual(["names/lib/caf\u00e9/a.ts"]);
      for (const other of spellings) {
        const { items } = await otter.client.call("reservation.check", { paths: [other] });
        expect(items).toMatchObject([{ path: other, state: "taken", holder: { name: "heron" } }]);
        const { items: listed } = await otter.client.call("reservation.list", { path: other });
        expect(listed.map((one) => one.id)).toEqual([id]);
      }
      await heron.client.call("reservation.release", { id });
    }
    await reserved(heron, "names/link.ts");
    for (const other of spellings) {
      for (const way of ways.all) {
        const { body } = await way.call("reservation.acquire", { paths: [other] }, { token: otter.token });
        expect([way.name, other, codeOf(body)]).toEqual([way.name, other, "reservation.conflict"]);
      }
      expect(await session("by-a-hook").edit(other)).toMatchObject({ code: 2 });
    }
  });

  it("edited through a hook by one spelling is the editor's under every other, and committed as the editor's [RSV-18]", async () => {
    write("edited/lib/a.ts");
    link("edited/link.ts", "lib/a.ts");
    expect(await session("an-editor").edit("edited/link.ts")).toMatchObject({ code: 0 });
    await expect(reserved(otter, "edited/lib/a.ts")).rejects.toMatchObject({ code: "reservation.conflict" });
    await expect(reserved(otter, "edited/./link.ts")).rejects.toMatchObject({ code: "reservation.conflict" });
    git(["add", "edited"], daemon.env);
    const stopped = git(["commit", "-q", "-m", "x"], { ...daemon.env, SYLK_AGENT: otter.agent.id });
    expect(stopped).toMatchObject({ status: 1, stderr: expect.stringContaining('"edited/lib/a.ts" is held by') });
    const own = git(["commit", "-q", "-m", "x"], { ...daemon.env, CLAUDE_CODE_SESSION_ID: "an-editor" });
    expect(own).toMatchObject({ status: 0 });
  });

  it("is covered by a glob through a linked folder [RSV-18]", async () => {
    write("globbed/lib/a.ts");
    link("globbed/src", "lib");
    const { reservation } = await heron.client.call("reservation.acquire", { patterns: ["globbed/src/**"] });
    expect(reservation.patterns).toEqual(["globbed/lib/**"]);
    for (const path of ["globbed/lib/a.ts", "globbed/src/a.ts", "globbed/src/new/b.ts"]) {
      await expect(reserved(otter, path)).rejects.toMatchObject({ code: "reservation.conflict" });
      expect(await session("beside-a-glob").edit(path)).toMatchObject({ code: 2 });
    }
  });

  it("of a file system without case has one name in any case [RSV-18]", async () => {
    const nest = daemon.addRepository("folding");
    // What such a file system shows: both names lead to one file.
    symlinkSync(".git", join(nest, ".GIT"));
    const [crow, wren] = [
      await daemon.register("crow", { project: nest }),
      await daemon.register("wren", { project: nest }),
    ];
    await reserved(crow, "Src/Readme.md");
    for (const path of ["src/README.MD", "SRC/readme.md"]) {
      await expect(reserved(wren, path)).rejects.toMatchObject({ code: "reservation.conflict" });
      const { items } = await wren.client.call("reservation.check", { paths: [path] });
      expect(items).toMatchObject([{ state: "taken" }]);
      await expect(wren.client.call("guard.write", { paths: [join(nest, path)] })).rejects.toMatchObject({
        code: "reservation.conflict",
      });
      await expect(wren.client.call("guard.commit", { paths: [path] })).rejects.toMatchObject({
        code: "reservation.conflict",
      });
    }
    await expect(wren.client.call("reservation.acquire", { patterns: ["SRC/*"] })).rejects.toMatchObject({
      code: "reservation.conflict",
    });
    await reserved(crow, "two/a.ts");
    await reserved(otter, "case/A.ts");
    expect(await reserved(heron, "case/a.ts")).toMatchObject({ paths: ["case/a.ts"] });
  });

  it("with a name that cannot be held is refused with the reason, not let through [RSV-18]", async () => {
    const long = `${"d/".repeat(600)}x.ts`;
    link("odd/out.ts", join(daemon.root, "outside.ts"));
    for (const [path, reason] of [
      ["odd/line\nbreak.ts", "a control character"],
      ["odd/\ufffd.ts", "not UTF-8"],
      [long, "1024"],
      ["odd/nul\0.ts", "a control character"],
      ["odd/out.ts", "leads out of the repository"],
      ["../x.ts", "starts at the repository root"],
      ["odd/../../x.ts", "starts at the repository root"],
    ] as const) {
      const refused = { code: "input.invalid", message: expect.stringContaining(reason) };
      await expect(reserved(heron, path)).rejects.toMatchObject(refused);
      await expect(heron.client.call("reservation.check", { paths: [path] })).rejects.toMatchObject(refused);
    }
    for (const path of ["odd/line\nbreak.ts", "odd/\ufffd.ts", long])
      expect(await session("odd-names").edit(path)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("path.not-holdable"),
      });
    // Made without a hook, it is held by a glob around it all the same.
    write("odd/deep/tab\t.ts");
    const { reservation } = await otter.client.call("reservation.acquire", { patterns: ["odd/deep/**"] });
    git(["add", "odd"], daemon.env);
    const env = { ...daemon.env, SYLK_AGENT: heron.agent.id };
    const stopped = git(["commit", "-q", "-m", "x"], env);
    expect(stopped).toMatchObject({ status: 1, stderr: expect.stringContaining("is held by otter") });
    await otter.client.call("reservation.release", { id: reservation.id });
    expect(git(["commit", "-q", "-m", "x"], env)).toMatchObject({ status: 0 });
  });
});

function session(name: string) {
  return hookClient({ session: name, repository: daemon.repository, env: daemon.env });
}

function write(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(daemon.repository, path)), { recursive: true });
    writeFileSync(join(daemon.repository, path), `${path}\n`);
  }
}

function link(path: string, target: string): void {
  mkdirSync(dirname(join(daemon.repository, path)), { recursive: true });
  symlinkSync(target, join(daemon.repository, path));
}

function git(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { status, stdout, stderr } = spawnSync("git", [...args], { cwd: daemon.repository, env, encoding: "utf8" });
  return { status, stdout, stderr };
}
