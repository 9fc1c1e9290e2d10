/** Against a real process that speaks the protocol and misbehaves when told to. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startTimeOf } from "../processes/index.ts";
import { enclosureIn } from "./enclose-server.ts";
import { scratchServers } from "./testkit.ts";

describe("an answer", () => {
  it("has the places of the tree by path, and marks those outside", async () => {
    await using at = await scratchServers({ "a.txt": "heron\notter heron\noutside" });
    const { servers } = at;
    expect(await servers.references(at.at("a.txt", 2, 8))).toEqual({
      state: "answered",
      confidence: "exact",
      notes: [],
      found: {
        more: false,
        places: [
          { path: "a.txt", isInTree: true, line: 1, column: 1, endLine: 1, endColumn: 6 },
          { path: "a.txt", isInTree: true, line: 2, column: 7, endLine: 2, endColumn: 12 },
        ],
      },
    });
    expect(await servers.hover(at.at("a.txt"))).toMatchObject({ found: { text: "the word heron" } });
    expect(await servers.definition(at.at("a.txt", 3))).toMatchObject({
      found: {
        places: [
          { path: "/etc/hosts", isInTree: false },
          { path: "jar:///a!/B", isInTree: false },
        ],
      },
    });
  });

  it("is about the file as it is on the disk now, and about the other files that were asked about", async () => {
    await using at = await scratchServers({ "a.txt": "heron", "b.txt": "heron" });
    await at.servers.hover(at.at("b.txt"));
    await at.servers.hover(at.at("a.txt"));
    at.write("b.txt", "otter and a heron");
    const places = await at.servers.references(at.at("a.txt"));
    expect(places).toMatchObject({ found: { places: [{ path: "b.txt", column: 13 }, { path: "a.txt" }] } });
    const versions = at.messages().flatMap(({ method, version }) => (method?.endsWith("didChange") ? [version] : []));
    expect(versions).toEqual([2]);
    at.servers.filesChanged(at.tree, [{ path: "c.txt", kind: "deleted" }]);
    await at.servers.hover(at.at("a.txt"));
    const changes = at.messages().flatMap((message) => message.changes ?? []);
    expect(changes).toEqual([{ uri: expect.stringMatching(/^file:.*\/c\.txt$/), type: 3 }]);
  });

  it("is not covered where a sandbox is needed and none works; nothing is started", async () => {
    const sandbox = { state: async () => ({ enforced: false, reason: "bwrap is absent" }) as never, enclose: never };
    const enclosureOf = enclosureIn(sandbox, { isNeeded: true, caches: "/nowhere", hidden: [] });
    await using at = await scratchServers({ "a.txt": "heron" }, { enclosureOf });
    const reason = expect.stringMatching(/no sandbox works here \(bwrap is absent\).*languageServers\.mode: on/);
    expect(await at.servers.hover(at.at("a.txt"))).toEqual({ state: "not-covered", reason });
    expect([at.recorded, at.crashes]).toEqual([[], []]);
  });

  it("of diagnostics waits for them; silence is a failure and not a clean file", async () => {
    await using at = await scratchServers({ "a.txt": "a mistake", "b.txt": "fine", "c.txt": "silent" });
    expect(await at.servers.diagnostics(at.at("a.txt"))).toMatchObject({
      found: { diagnostics: [{ line: 1, column: 3, severity: "warning", message: "a mistake", code: "7" }] },
    });
    expect(await at.servers.diagnostics(at.at("b.txt"))).toMatchObject({
      state: "answered",
      found: { diagnostics: [] },
    });
    const silent = at.servers.diagnostics(at.at("c.txt"));
    await asked(at, "textDocument/didOpen", 3);
    at.clock.advance(15_000);
    expect(await silent).toEqual({ state: "failed", reason: "scripted sent no diagnostics in time" });
  });

  it("is less sure where the project has no set-up, or the server reports trouble or is not ready", async () => {
    await using bare = await scratchServers({ "a.txt": "heron" }, { definition: { projectFiles: ["project.json"] } });
    expect(await bare.servers.references(bare.at("a.txt"))).toMatchObject({
      confidence: "likely",
      notes: ["there is no project.json for a.txt, so scripted may know some files only"],
    });
    bare.write("project.json", "{}");
    expect(await bare.servers.references(bare.at("a.txt"))).toMatchObject({ confidence: "exact", notes: [] });
    const status = (value: object) =>
      ({ ready: "quiescent", env: { SCRIPTED_STATUS: JSON.stringify(value) } }) as const;
    const health = { health: "error", quiescent: true, message: "workspace not found" };
    await using troubled = await scratchServers({ "a.txt": "heron" }, { definition: status(health) });
    expect(await troubled.servers.references(troubled.at("a.txt"))).toMatchObject({
      confidence: "likely",
      notes: ["scripted reports: workspace not found"],
    });
    const loading = { health: "ok", quiescent: false };
    await using slow = await scratchServers({ "a.txt": "heron" }, { definition: status(loading) });
    const early = slow.servers.references(slow.at("a.txt"));
    await asked(slow, "textDocument/didOpen");
    slow.clock.advance(15_000);
    expect(await early).toMatchObject({ confidence: "likely", notes: ["scripted still loads the project"] });
  });
});

describe("a server that misbehaves", () => {
  it.each([
    ["crash", /^scripted ended in the middle of the question \(exit code 3: the word was crash\)$/],
    ["garbage", /something that is not a message of the protocol/],
    ["huge", /a message of 999999999999 bytes, and 33554432 are allowed/],
    ["flood", /a message of \d+ bytes, and 33554432 are allowed/],
    ["nonsense", /answered with something that is not a list of places/],
    ["refuse", /^scripted refused the question: not today$/],
  ])("by %s gives a failure with the reason, never an empty answer", async (word, reason) => {
    await using at = await scratchServers({ "a.txt": word });
    const answer = await at.servers.references(at.at("a.txt"));
    expect(answer).toEqual({ state: "failed", reason: expect.stringMatching(reason) });
  });

  it("by not answering is ended after the second time and left alone", async () => {
    await using at = await scratchServers({ "a.txt": "hang", "b.txt": "heron" });
    await at.servers.hover(at.at("b.txt"));
    const pid = at.servers.list()[0]!.pid!;
    for (const count of [1, 2]) {
      const answer = at.servers.references(at.at("a.txt"));
      await asked(at, "textDocument/references", count);
      at.clock.advance(15_000);
      expect(await answer).toEqual({ state: "failed", reason: "scripted did not answer within 15 s" });
    }
    expect([await isRunning(pid), at.recorded]).toEqual([false, []]);
    expect(await at.servers.hover(at.at("b.txt"))).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("2 questions in a row were not answered in time"),
    });
  });

  it("at its start is a failure: ended, or not ready within 30 s", async () => {
    await using ended = await scratchServers(
      { "a.txt": "heron" },
      { definition: { env: { SCRIPTED_START: "crash" } } },
    );
    expect(await ended.servers.hover(ended.at("a.txt"))).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("no such set-up"),
    });
    await using never = await scratchServers(
      { "a.txt": "heron" },
      { definition: { env: { SCRIPTED_START: "never" } } },
    );
    const answer = never.servers.hover(never.at("a.txt"));
    await asked(never, "initialize");
    never.clock.advance(30_000);
    expect(await answer).toEqual({ state: "failed", reason: "scripted did not answer within 30 s" });
  });

  it("is started again after 1, 2, 4, 8 seconds, and after five ends in a row not for ten minutes", async () => {
    await using at = await scratchServers({ "a.txt": "crash", "b.txt": "heron" });
    for (const waitMs of [1_000, 2_000, 4_000, 8_000, 600_000]) {
      expect(await at.servers.hover(at.at("a.txt"))).toMatchObject({
        reason: expect.stringContaining("in the middle"),
      });
      at.clock.advance(waitMs - 1);
      expect(await at.servers.hover(at.at("b.txt"))).toMatchObject({
        state: "failed",
        reason: expect.stringContaining("the word was crash); it is not started again for 1 s"),
      });
      at.clock.advance(1);
    }
    expect(at.servers.list()).toMatchObject([
      { state: "ended", crashes: 5, lastFailure: "exit code 3: the word was crash" },
    ]);
    expect(await at.servers.hover(at.at("b.txt"))).toMatchObject({ state: "answered" });
    expect(at.crashes).toHaveLength(5);
  });

  it("by needing more memory than it may is ended with that reason", async () => {
    const terms = { maxBytes: 150 * 1_048_576 };
    const definition = { env: { SCRIPTED_EATS: "200" } };
    await using at = await scratchServers({ "a.txt": "hang" }, { terms, definition });
    expect(await at.servers.references(at.at("a.txt"))).toMatchObject({
      reason: expect.stringMatching(/it needed \d+ MB of memory, and 150 MB are allowed/),
    });
  });
});

describe("the servers of a tree", () => {
  it("are one process for all who ask, also at once, and another for another tree", async () => {
    await using at = await scratchServers({ "a.txt": "heron", "b.txt": "otter", "other/c.txt": "heron" });
    const hovers = ["a.txt", "b.txt", "a.txt"].map((path) => at.servers.hover(at.at(path)));
    expect(await Promise.all(hovers)).toMatchObject(hovers.map(() => ({ state: "answered" })));
    expect(at.messages().filter(({ started }) => started !== undefined)).toHaveLength(1);
    expect(at.servers.list()).toMatchObject([{ server: "scripted", tree: at.tree, state: "running", questions: 3 }]);
    const link = join(at.tree, "../link");
    symlinkSync(at.tree, link);
    await at.servers.hover({ ...at.at("a.txt"), tree: link });
    expect(at.servers.list()).toHaveLength(1);
    await at.servers.hover({ tree: join(at.tree, "other"), path: "c.txt", line: 1, column: 1 });
    expect(at.servers.list()).toHaveLength(2);
    expect(at.recorded).toHaveLength(2);
  });

  it("are ended after ten minutes without a question, counted from the last one", async () => {
    await using at = await scratchServers({ "a.txt": "heron" });
    await at.servers.hover(at.at("a.txt"));
    const { pid } = at.recorded[0]!;
    at.clock.advance(599_999);
    await at.servers.hover(at.at("a.txt"));
    at.clock.advance(599_999);
    expect(await isRunning(pid)).toBe(true);
    at.clock.advance(1);
    await at.servers.close();
    expect([await isRunning(pid), at.recorded]).toEqual([false, []]);
  });

  it("are at most so many: the one that was idle for longest makes room", async () => {
    await using at = await scratchServers({ "x/a.txt": "heron", "y/a.txt": "heron" }, { terms: { mostServers: 1 } });
    for (const name of ["x", "y"])
      await at.servers.hover({ tree: join(at.tree, name), path: "a.txt", line: 1, column: 1 });
    expect(at.servers.list()).toMatchObject([{ state: "ended" }, { state: "running" }]);
    expect(at.recorded).toHaveLength(1);
  });

  it("are told of no file through a link that leads out of the tree", async () => {
    await using at = await scratchServers({ "a.txt": "heron" });
    symlinkSync("/etc/hosts", join(at.tree, "b.txt"));
    await at.servers.hover(at.at("a.txt"));
    expect(await at.servers.hover(at.at("b.txt"))).toEqual({
      state: "not-covered",
      reason: "b.txt is outside the tree",
    });
    expect(await at.servers.hover(at.at("../tree/gone.txt"))).toMatchObject({ state: "not-covered" });
  });

  it("that are not installed or not known leave the file to other providers", async () => {
    await using at = await scratchServers({ "a.txt": "heron" }, { findProgram: () => undefined });
    expect(await at.servers.hover(at.at("a.txt"))).toMatchObject({
      state: "not-covered",
      reason: expect.stringContaining("is not installed; with it on the PATH answers are precise"),
    });
    expect(await at.servers.hover(at.at("a.xyz"))).toEqual({
      state: "not-covered",
      reason: "no language server is known for .xyz files",
    });
    expect(at.servers.list()).toEqual([]);
  });
});

async function isRunning(pid: number): Promise<boolean> {
  return (await startTimeOf(pid)) !== undefined;
}

/** Until the server was asked so often: the clock may be moved then. */
async function asked(at: Awaited<ReturnType<typeof scratchServers>>, method: string, times = 1): Promise<void> {
  const { systemClock, pause } = await import("../../platform/clock/index.ts");
  for (let looks = 0; looks < 1_000; looks++) {
    const isThere = (() => {
      try {
        return at.messages().filter((message) => message.method === method).length >= times;
      } catch {
        return false; // nothing was written yet
      }
    })();
    if (isThere) return;
    await pause(5, systemClock(), undefined, { keepAlive: true });
  }
  throw new Error(`the server was not asked ${method}`);
}

function never(): never {
  throw new Error("it was not asked whether a sandbox works");
}
