/** The library as an integration has it: its own copy, and whichever copy the home or a developer hands over. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { clientLibrary, libraryLoader, libraryRecord } from "./index.ts";

type Nudge = {
  readonly integration: string;
  readonly session: string;
  readonly tree: string;
  readonly say?: (line: string) => void;
};
type Library = {
  readonly version: string;
  status(home: string): string;
  check(
    home: string,
    terms: { readonly client: string; readonly event: string; readonly body: string },
  ): Promise<{ readonly verdict: string; readonly text: string }>;
  guardOf(home: string, name: string): string | undefined;
  note(home: string, observation: object): void;
  nudge(home: string, terms: Nudge): void;
};
type Integration = { openLibrary(home: string, warn: (line: string) => void): Library; readonly builtIn: Library };

const load = createRequire(import.meta.url);

beforeEach(() => {
  for (const name of ["SYLK_CLIENT_LIBRARY", "SYLK_NUDGES"]) vi.stubEnv(name, undefined);
  return () => vi.unstubAllEnvs();
});

function openWorld(version = "1.2.3") {
  const folder = scratchFolder();
  const home = join(folder.path, "home");
  const tree = join(folder.path, "shop");
  for (const made of [join(home, "hooks"), join(tree, ".git")]) mkdirSync(made, { recursive: true });
  writeFileSync(join(home, "token"), "t");
  const file = join(folder.path, "integration.cjs");
  const loading = `const load = require;\n${libraryLoader(version)}`;
  writeFileSync(file, `${loading}module.exports = { openLibrary, builtIn };\n`);
  const installed = join(home, "hooks", "sylk-client.cjs");
  const record = join(home, "hooks", "sylk-client.json");
  const world = {
    [Symbol.dispose]: () => folder[Symbol.dispose](),
    root: folder.path,
    home,
    tree,
    loading,
    installed,
    record,
    integration: load(file) as Integration,
    install(own: string, content = clientLibrary(own)) {
      writeFileSync(installed, content, { mode: 0o600 });
      writeFileSync(record, libraryRecord(content, own), { mode: 0o600 });
    },
    open(): { readonly library: Library; readonly warnings: readonly string[] } {
      const warnings: string[] = [];
      return { library: world.integration.openLibrary(home, (line) => void warnings.push(line)), warnings };
    },
    records: (items: readonly object[]) =>
      writeFileSync(join(home, "hooks", "installed.json"), JSON.stringify({ version: 1, items })),
  };
  return world;
}
type World = ReturnType<typeof openWorld>;

describe("which copy runs", () => {
  it("is a developer's, else the installed one, else the built-in one [DUAL-8]", () => {
    using world = openWorld();
    expect(world.open()).toMatchObject({ library: { version: "1.2.3" }, warnings: [] });
    world.install("1.3.0");
    expect(world.open().library.version).toBe("1.3.0");
    const mine = join(world.root, "mine.cjs");
    writeFileSync(mine, clientLibrary("0.0.1-mine"), { mode: 0o600 });
    vi.stubEnv("SYLK_CLIENT_LIBRARY", mine);
    expect(world.open().library.version).toBe("0.0.1-mine");
    rmSync(mine);
    const { library, warnings } = world.open();
    expect([library.version, warnings]).toEqual(["1.2.3", [expect.stringContaining("mend SYLK_CLIENT_LIBRARY")]]);
  });

  const faults: readonly (readonly [string, string, (world: World) => void])[] = [
    ["a group may write it", "others may write it", ({ installed }) => chmodSync(installed, 0o620)],
    ["everybody may write it", "others may write it", ({ installed }) => chmodSync(installed, 0o606)],
    ["everybody may write its record", "others may write it", ({ record }) => chmodSync(record, 0o606)],
    ["it was changed", "its checksum is not", ({ installed }) => writeFileSync(installed, clientLibrary("1.2.4"))],
    ["it has no record", "no checksum can be found", ({ record }) => rmSync(record)],
    ["its record is torn", "no checksum can be found", ({ record }) => writeFileSync(record, '{"version":')],
    ["its record is of nothing", "its checksum is not", ({ record }) => writeFileSync(record, "[]")],
    [
      "it is a pipe",
      "it is not a plain file",
      ({ installed }) => {
        rmSync(installed);
        execFileSync("mkfifo", ["-m", "600", installed]);
      },
    ],
    ["it does not compile", "is not used", (world) => world.install("1.2.3", "if (")],
    ["it throws", "is not used", (world) => world.install("1.2.3", "throw new Error('no')")],
    ["it lacks functions", "it lacks status, check", (world) => world.install("1.2.3", 'exports.version = "1.2.3"')],
  ];

  it.each(faults)("is the built-in one, with a warning, where %s [DUAL-9]", (_what, why, spoil) => {
    using world = openWorld();
    world.install("1.2.3");
    spoil(world);
    const { library, warnings } = world.open();
    expect(warnings).toEqual([expect.stringContaining(why)]);
    world.records([]);
    const said: string[] = [];
    library.nudge(world.home, { ...anywhere(world), say: (line) => void said.push(line) });
    expect([library.status, said]).toEqual([world.integration.builtIn.status, []]);
  });

  it("is the built-in one where it, or what it links to, belongs to another user", ({ skip }) => {
    skip(process.getuid?.() !== 0, "only root can give a file to another user");
    using world = openWorld();
    world.install("1.2.3");
    chownSync(world.installed, 65_534, 65_534);
    expect(world.open().warnings).toEqual([expect.stringContaining("it belongs to another user")]);
    const elsewhere = join(world.root, "theirs.cjs");
    writeFileSync(elsewhere, clientLibrary("1.2.3"));
    chownSync(elsewhere, 65_534, 65_534);
    rmSync(world.installed);
    symlinkSync(elsewhere, world.installed);
    expect(world.open().warnings).toEqual([expect.stringContaining("it belongs to another user")]);
    vi.stubEnv("SYLK_CLIENT_LIBRARY", elsewhere);
    expect(world.open().warnings).toEqual([expect.stringContaining("it belongs to another user")]);
  });

  it("is never an older one, and another version is never used in silence [DUAL-3]", () => {
    using world = openWorld("2.3.4");
    const part = fc.constantFrom(0, 2, 3, 4, 10);
    fc.assert(
      fc.property(part, part, part, (...parts) => {
        const own = parts.join(".");
        const at = [2, 3, 4].findIndex((wanted, index) => parts[index] !== wanted);
        const isOlder = at !== -1 && parts[at]! < [2, 3, 4][at]!;
        world.install(own);
        const { library, warnings } = world.open();
        expect(library.version).toBe(isOlder ? "2.3.4" : own);
        expect(warnings).toEqual(own === "2.3.4" ? [] : [expect.stringContaining(own)]);
      }),
      { numRuns: 60 },
    );
  });
});

describe("both copies", () => {
  it("export the same, and without a daemon nothing is granted: only what was seen is written down [DUAL-10]", async () => {
    using world = openWorld();
    world.install("1.2.3");
    const { library } = world.open();
    const { builtIn } = world.integration;
    const shape = (copy: object) => Object.entries(copy).map(([name, value]) => [name, typeof value]);
    expect(shape(library)).toEqual(shape(builtIn));
    expect(library.status).not.toBe(builtIn.status);
    const before = readdirSync(world.home);
    for (const copy of [library, builtIn]) {
      expect(await copy.check(world.home, tool)).toEqual({
        verdict: "unreachable",
        text: "the daemon does not answer at its socket",
        isDown: true,
      });
      expect(copy.guardOf(world.home, "edit")).toBeUndefined();
      expect(readdirSync(world.home)).toEqual(before);
    }
    builtIn.note(world.home, { client: "opencode", event: "tool", session: "s", project: world.tree, cause: "down" });
    expect(readdirSync(world.home).filter((name) => !before.includes(name))).toEqual(["log"]);
    expect(readdirSync(join(world.home, "log"))).toEqual(["hook-outcomes.jsonl"]);
    rmSync(join(world.home, "token"));
    expect([builtIn.status(world.home), await builtIn.check(world.home, tool)]).toEqual([
      "absent",
      { verdict: "absent", text: "" },
    ]);
  });

  it("take for a grant only a whole answer that says so, whatever stands at the socket [DUAL-10]", async () => {
    using world = openWorld();
    let answer: Uint8Array = Buffer.from("");
    const server = createServer((call) => call.on("error", () => {}).on("data", () => call.end(answer)));
    await new Promise<void>((done) => server.listen(join(world.home, "sylk.sock"), done));
    const head = fc.constantFrom("HTTP/1.1 200 OK", "HTTP/1.1 403 No", "HTTP/1.0 200 OK", "allow");
    const body = fc.oneof(fc.constantFrom("allow\n", "allow", "allowed", "deny\nno", "tell\nyou", ""), fc.string());
    const reply = fc.tuple(head, body, fc.nat(3)).map(([first, said, missing]) => {
      const length = Buffer.byteLength(said) + missing;
      return { first, said, missing, bytes: Buffer.from(`${first}\r\ncontent-length: ${length}\r\n\r\n${said}`) };
    });
    try {
      await fc.assert(
        fc.asyncProperty(reply, async ({ first, said, missing, bytes }) => {
          answer = bytes;
          const { verdict } = await world.integration.builtIn.check(world.home, tool);
          const isWhole = first === "HTTP/1.1 200 OK" && missing === 0;
          expect(verdict === "allow").toBe(isWhole && said.split("\n")[0] === "allow");
        }),
        { numRuns: 60 },
      );
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
          answer = bytes;
          expect((await world.integration.builtIn.check(world.home, tool)).verdict).toBe("unreachable");
        }),
        { numRuns: 30 },
      );
    } finally {
      server.close();
    }
  });
});

describe("a nudge", () => {
  it("names what to install, at most twice a session over all parts, and three times at all [DUAL-4, DUAL-11]", () => {
    const call = fc.record({
      integration: fc.constantFrom("claude-code", "codex", "gemini", "opencode"),
      session: fc.constantFrom("s-1", "s-2", "s-3", "s-4", "../../odd session"),
    });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
        using world = openWorld();
        world.install("1.2.3");
        for (const client of [".codex", ".gemini", ".opencode"]) mkdirSync(join(world.tree, client));
        const said: string[] = [];
        for (const terms of calls) {
          const say = (line: string): void => void said.push(`${terms.session}|${terms.integration}|${line}`);
          world.open().library.nudge(world.home, { ...terms, tree: join(world.tree), say });
        }
        expect(mostOf(said, (line) => line.split("|")[0]!)).toBeLessThanOrEqual(2);
        expect(mostOf(said, (line) => line.split("|").slice(1).join())).toBeLessThanOrEqual(3);
        expect(new Set(said).size).toBe(said.length);
        for (const line of said) expect(line).toMatch(/\|Sylk: .*"sylk install [a-z-]+"/);
        if (calls.length > 0) expect(said.length).toBeGreaterThan(0);
      }),
      { numRuns: 12 },
    );
  });

  it("never comes again once it was there, also when it has gone since [DUAL-4]", () => {
    using world = openWorld();
    world.install("1.2.3");
    expect(nudged(world, "s-1")).toEqual([expect.stringContaining('"sylk install claude-code" adds the commit gate')]);
    world.records([{ client: "claude-code", scope: "local", tree: world.tree, preCommit: {} }]);
    expect(nudged(world, "s-2")).toEqual([]);
    world.records([]);
    expect(nudged(world, "s-3")).toEqual([]);
    mkdirSync(join(world.tree, ".codex"));
    world.records([{ client: "codex", scope: "user", tree: "/elsewhere" }]);
    expect(nudged(world, "s-4")).toEqual([]);
  });

  it("sees the gate of a linked working tree, and asks for none outside of a repository", () => {
    using world = openWorld();
    world.install("1.2.3");
    mkdirSync(join(world.tree, ".git", "hooks"));
    mkdirSync(join(world.tree, ".git", "worktrees", "w"), { recursive: true });
    writeFileSync(join(world.tree, ".git", "worktrees", "w", "commondir"), "../..\n");
    const linked = join(world.root, "linked");
    mkdirSync(linked);
    writeFileSync(join(linked, ".git"), `gitdir: ${join(world.tree, ".git", "worktrees", "w")}\n`);
    expect(nudged(world, "s-0", world.root)).toEqual([]);
    writeFileSync(join(world.tree, ".git", "hooks", "pre-commit"), "#!/bin/sh\nsh sylk-hook git pre-commit\n");
    expect(nudged(world, "s-1", linked)).toEqual([]);
    rmSync(join(world.tree, ".git", "hooks", "pre-commit"));
    rmSync(join(world.home, "nudges"), { recursive: true });
    expect(nudged(world, "s-2", linked)).toHaveLength(1);
  });

  it.each([
    ["the variable", () => void vi.stubEnv("SYLK_NUDGES", "off")],
    ["the setting", ({ home }: World) => writeFileSync(join(home, "guards"), "edit=fail-open\nnudges=off\n")],
    ["a home that cannot be written", ({ home }: World) => writeFileSync(join(home, "nudges"), "a file")],
  ])("is silenced by %s, and never an error [DUAL-4, DUAL-11]", (_what, silence) => {
    using world = openWorld();
    world.install("1.2.3");
    silence(world);
    expect(nudged(world, "s-1")).toEqual([]);
  });

  it("never comes from the built-in copy [DUAL-11]", () => {
    using world = openWorld();
    expect(nudged(world, "s-1")).toEqual([]);
    expect(readdirSync(world.home)).not.toContain("nudges");
  });

  it("goes to standard error, once where five hooks run at the same time [DUAL-11]", async () => {
    using world = openWorld();
    world.install("1.2.3");
    const script = join(world.root, "hook.cjs");
    const terms = JSON.stringify({ integration: "claude-code", session: "s-1", tree: world.tree });
    writeFileSync(
      script,
      `${world.loading}openLibrary(process.argv[2], console.error).nudge(process.argv[2], ${terms});`,
    );
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => {
        const child = spawn(process.execPath, [script, world.home], { stdio: ["ignore", "pipe", "pipe"] });
        return Promise.all([text(child.stdout), text(child.stderr)]);
      }),
    );
    expect(runs.map(([out]) => out).join("")).toBe("");
    expect(runs.map(([, errors]) => errors).join("")).toMatch(/^Sylk: commits are not guarded[^\n]*\n$/);
  });
});

const tool = { client: "opencode", event: "tool", body: "{}" };

function anywhere({ tree }: World): Nudge {
  return { integration: "claude-code", session: "s-0", tree };
}

function nudged(world: World, session: string, tree = world.tree): readonly string[] {
  const said: string[] = [];
  const { library } = world.open();
  library.nudge(world.home, { integration: "claude-code", session, tree, say: (line) => void said.push(line) });
  return said;
}

function mostOf(lines: readonly string[], keyOf: (line: string) => string): number {
  const counts = Map.groupBy(lines, keyOf);
  return Math.max(0, ...[...counts.values()].map((found) => found.length));
}
