import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { DomainError } from "../../contract/index.ts";
import { registerAgent } from "../registry/index.ts";
import { acquireReservation } from "../reservations/index.ts";
import { minuteMs, repository, scratchPorts, worktree, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { afterTools } from "./after-tools.ts";
import { checkCommit } from "./check-commit.ts";
import { guardWrite } from "./guard-write.ts";
import type { GuardPolicy } from "./ports.ts";
import { startSession } from "./start-session.ts";
import { asked, guardPorts } from "./testkit.ts";

function guard(ports: ScratchPorts, policy: GuardPolicy = "deny") {
  const all = guardPorts(ports, { policyFor: async () => policy });
  return {
    all,
    write: (call: AgentCall, ...paths: string[]) => guardWrite(asked({ paths }), call, all),
    used: ({ caller }: AgentCall, read: string[], wrote: string[]) =>
      afterTools({ read, wrote, ended: [], turnEnded: false }, caller, all),
    globs: (call: AgentCall, ...patterns: string[]) => guardWrite(asked({ patterns }), call, all),
    unknown: (call: AgentCall, ...unknown: string[]) => guardWrite(asked({ unknown }), call, all),
    commit: (call: AgentCall, ...paths: string[]) => checkCommit({ paths, removes: [] }, call, all),
  };
}
const refusalOf = (asked: Promise<unknown>) =>
  asked.then(
    () => expect.fail("it was not refused"),
    (error: unknown) => error as DomainError,
  );

it("reserves with the first write, renews with the next, and makes no second hold of it [RSV-6]", async () => {
  using ports = scratchPorts();
  const { write } = guard(ports);
  const heron = await ports.caller("heron");
  const [first] = (await write(heron, "src/a.ts")).items;
  ports.clock.advance(4 * minuteMs);
  const [second] = (await write(heron, "src/a.ts")).items;
  expect(second).toEqual(first);
  ports.clock.advance(4 * minuteMs);
  const otter = await ports.caller("otter");
  expect(await refusalOf(write(otter, "src/a.ts"))).toMatchObject({ code: "reservation.conflict" });
  expect(await ports.store.reader.reservations.live(undefined)).toHaveLength(1);
});

it("reserves all files of a write or none", async () => {
  using ports = scratchPorts();
  const { write } = guard(ports);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await write(heron, "b.ts");
  await refusalOf(write(otter, "a.ts", "b.ts"));
  expect((await write(heron, "a.ts")).items).toMatchObject([{ path: "a.ts", state: "reserved" }]);
});

it("continues with a warning where the policy only warns", async () => {
  using ports = scratchPorts();
  const { write, commit } = guard(ports, "warn");
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await write(heron, "a.ts");
  expect(await write(otter, "a.ts")).toEqual({
    items: [{ path: "a.ts", state: "unguarded" }],
    warning: expect.stringContaining("is held by heron"),
    unguarded: [],
  });
  expect((await commit(otter, "a.ts")).warnings).toEqual([expect.stringContaining("is held by heron")]);
});

it("refuses the old holder at both gates after a takeover, regardless of who took it and by which pattern [RSV-9]", async () => {
  using ports = scratchPorts();
  const { write, commit } = guard(ports);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await write(heron, "src/a.ts");
  ports.clock.advance(40 * minuteMs);
  ports.hear(heron, otter);
  const wide = { paths: [], patterns: ["src/**"], mode: "exclusive" as const, scope: "tree" as const, waitMs: 0 };
  await acquireReservation(wide, otter, ports);
  expect(await refusalOf(write(heron, "src/a.ts"))).toMatchObject({
    code: "lease.lost",
    details: { holder: { name: "otter" } },
  });
  expect(await refusalOf(write(heron, "src/a.ts"))).toMatchObject({ code: "reservation.conflict" });
  ports.clock.advance(40 * minuteMs);
  ports.hear(heron);
  expect(await refusalOf(commit(heron, "src/a.ts"))).toMatchObject({ code: "lease.lost" });
  await write(heron, "src/a.ts");
  expect(await commit(heron, "src/a.ts")).toMatchObject({ warnings: [] });
});

it("does not call a hold lost that ran out and that no agent had since", async () => {
  using ports = scratchPorts();
  const { write, commit } = guard(ports);
  const heron = await ports.caller("heron");
  await write(heron, "a.ts");
  ports.clock.advance(40 * minuteMs);
  ports.hear(heron);
  expect(await commit(heron, "a.ts")).toMatchObject({ warnings: [] });
  expect((await write(heron, "a.ts")).items).toMatchObject([{ state: "reserved" }]);
});

it("lets a family commit what its members hold, and no stranger", async () => {
  using ports = scratchPorts();
  const { write, commit } = guard(ports);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const path = heron.caller.tree;
  const wanted = {
    sessionKey: "child",
    client: "claude-code",
    project: { path },
    parent: heron.caller.agent.id,
  } as const;
  const { agent } = await registerAgent(wanted, ports.store, ports);
  const child = { ...heron, caller: { ...heron.caller, agent } };
  await write(child, "child.ts");
  expect(await commit(heron, "child.ts")).toMatchObject({ warnings: [] });
  expect(await refusalOf(commit(otter, "child.ts"))).toMatchObject({ code: "reservation.conflict" });
  expect(await refusalOf(write(heron, "child.ts"))).toMatchObject({ code: "reservation.conflict" });
});

it("says that there is no other agent only after it has asked, and continues when leftovers cannot be looked at [HLTH-9]", async () => {
  using ports = scratchPorts();
  const { all } = guard(ports);
  const path = repository(ports.folder, "nest");
  const wanted = { sessionKey: "s-1", client: "claude-code", project: { path } } as const;
  const broken = { ...all, clearLeftovers: () => Promise.reject(new Error("git is gone")) };
  const { line, left } = await startSession(wanted, ports.store, broken);
  expect(line).toMatch(/No other agents here\. From dead sessions: some could not be examined: Error: git is gone\.$/);
  expect(left.unknown).toBe("Error: git is gone");
  const blind = {
    ...all.store.reader,
    agents: { ...all.store.reader.agents, list: () => Promise.reject(new Error("locked")) },
  };
  const unable = { ...all, store: { ...all.store, reader: blind } };
  await expect(startSession(wanted, ports.store, unable)).rejects.toThrow("locked");
});

it("holds a file in the working tree it is in, wherever the session began and wherever that tree lies", async () => {
  using ports = scratchPorts();
  const { write } = guard(ports);
  const heron = await ports.caller("heron");
  const side = worktree(ports.folder, heron.caller.tree, "side");
  const otter = await ports.caller("otter", side);
  await write(heron, join(side, "src", "a.ts"));
  expect(await refusalOf(write(otter, "src/a.ts"))).toMatchObject({ code: "reservation.conflict" });
  expect((await write(otter, "b.ts", join(heron.caller.tree, "b.ts"))).items).toMatchObject([
    { path: "b.ts", state: "reserved" },
    { path: "b.ts", state: "reserved" },
  ]);
  expect(await refusalOf(write(heron, "b.ts"))).toMatchObject({ code: "reservation.conflict" });
});

it("finds the file behind a link, and one that is about to be made", async () => {
  using ports = scratchPorts();
  const { write } = guard(ports);
  const heron = await ports.caller("heron");
  const { tree } = heron.caller;
  mkdirSync(join(tree, "src"), { recursive: true });
  writeFileSync(join(tree, "src", "a.ts"), "");
  expect(
    (await write(heron, join(tree, "src", "..", "src", "a.ts"), "not/there/yet.ts", "../out.ts", "/etc/hosts")).items,
  ).toMatchObject([
    { path: "src/a.ts", state: "reserved" },
    { path: "not/there/yet.ts", state: "reserved" },
    { path: "../out.ts", state: "outside" },
    { path: "/etc/hosts", state: "outside" },
  ]);
});

it("asks for globs and folders without holding them, and refuses those in which another agent holds a file [ADPT-4]", async () => {
  using ports = scratchPorts();
  const { write, globs } = guard(ports);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { tree } = heron.caller;
  await write(heron, "src/[id]/a.ts");
  for (const text of ["src/**", `${tree}/**`, "**/*.ts", String.raw`src/\[id\]/?.ts`, `${join(tree, "..")}/**`])
    expect(await refusalOf(globs(otter, text))).toMatchObject({
      code: "reservation.conflict",
      message: expect.stringContaining('"src/[id]/a.ts" is held by heron'),
    });
  for (const text of ["src/*.ts", "lib/**", String.raw`src/\[id\]/*.js`])
    expect((await globs(otter, text)).items).toEqual([{ path: text, state: "clear" }]);
  expect((await globs(heron, "src/**")).items).toEqual([{ path: "src/**", state: "clear" }]);
  expect(await ports.store.reader.reservations.live(undefined)).toHaveLength(1);
});

it("knows a glob outside the tree, one that only looks as if it reached it, and one it cannot read [ADPT-4]", async () => {
  using ports = scratchPorts();
  const { write, globs } = guard(ports);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { tree } = heron.caller;
  await write(heron, "a.ts");
  const above = join(tree, "..");
  const { items } = await globs(otter, "/etc/*", `${above}/other-*/**`, `${above}/*`, "@(a|b).ts", "../*/b.ts");
  expect(items.map(({ state }) => state)).toEqual(["outside", "outside", "outside", "unguarded", "clear"]);
  expect((await write(otter, "b.ts")).unguarded).toEqual(["@(a|b).ts: this glob cannot be decided"]);
  expect(await refusalOf(globs(otter, `${above}/*/a.ts`))).toMatchObject({ code: "reservation.conflict" });
});

it("lets a sub-agent run over a glob in which its parent holds a file, and warns where the policy only warns", async () => {
  using ports = scratchPorts();
  const { write, globs } = guard(ports, "warn");
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const wanted = {
    sessionKey: "child",
    client: "claude-code",
    project: { path: heron.caller.tree },
    parent: heron.caller.agent.id,
  } as const;
  const { agent } = await registerAgent(wanted, ports.store, ports);
  const child = { ...heron, caller: { ...heron.caller, agent } };
  await write(heron, "src/a.ts");
  expect(await globs(child, "src/*")).toEqual({ items: [{ path: "src/*", state: "clear" }], unguarded: [] });
  expect(await globs(otter, "src/*")).toMatchObject({
    items: [{ path: "src/*", state: "unguarded" }],
    warning: expect.stringContaining("is held by heron"),
  });
});

it("lets pass what cannot be known, tells it once at the next call, and at the next commit of that tree [ADPT-4]", async () => {
  using ports = scratchPorts();
  const { write, commit, unknown } = guard(ports);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  expect((await write(otter, "b.ts")).unguarded).toEqual([]);
  expect(await unknown(heron, "git pull: it may change the whole tree")).toEqual({
    items: [],
    unguarded: [],
    remembered: 1,
  });
  expect((await write(heron, "a.ts")).unguarded).toEqual(["git pull: it may change the whole tree"]);
  expect((await write(heron, "a.ts")).unguarded).toEqual([]);
  expect(await refusalOf(commit(heron, "b.ts"))).toMatchObject({ code: "reservation.conflict" });
  expect((await commit(otter, "b.ts")).warnings).toEqual([
    "1 tool call went unguarded since the last commit here (heron: git pull: it may change the whole tree); look at what they changed",
  ]);
  expect((await commit(otter, "b.ts")).warnings).toEqual([]);
});

it("stops what cannot be known where the policy is strict, holds nothing for it, and warns where it only warns [ADPT-4]", async () => {
  using ports = scratchPorts();
  const { all, unknown } = guard(ports, "strict");
  const heron = await ports.caller("heron");
  const wanted = asked({ paths: ["a.ts"], unknown: ["$OUT: >"] });
  expect(await refusalOf(guardWrite(wanted, heron, all))).toMatchObject({
    code: "write.unknown",
    message: expect.stringContaining("$OUT: >"),
  });
  expect(await ports.store.reader.reservations.live(undefined)).toEqual([]);
  expect(all.unguarded.inTree(heron.caller.tree)).toEqual([]);
  await refusalOf(unknown(heron, "x"));
  expect(await guard(ports, "warn").unknown(heron, "x")).toMatchObject({ warning: expect.stringContaining("x") });
});

it("renews after a tool what it wrote and still holds, and remembers what was read in the tree [RSV-6, GIT-13]", async () => {
  using ports = scratchPorts();
  const { all, write, used } = guard(ports);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await write(heron, "a.ts");
  await write(otter, "b.ts");
  ports.clock.advance(4 * minuteMs);
  const read = ["c.ts", join(heron.caller.tree, "d.ts"), "/etc/hosts", "../out.ts"];
  expect(await used(heron, read, ["a.ts", "b.ts"])).toEqual({ renewed: 1, remembered: 4 });
  expect(all.reads.readersOf(new Set(["d.ts"]), minuteMs)).toEqual([heron.caller.agent.id]);
  expect(all.reads.readersOf(new Set(["/etc/hosts", "../out.ts"]), minuteMs)).toEqual([]);
  ports.clock.advance(4 * minuteMs);
  expect(await refusalOf(write(otter, "a.ts"))).toMatchObject({ code: "reservation.conflict" });
  expect((await write(heron, "b.ts")).items).toMatchObject([{ state: "reserved" }]);
});
