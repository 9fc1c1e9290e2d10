import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { DomainError } from "../../contract/index.ts";
import { registerAgent } from "../registry/index.ts";
import { acquireReservation } from "../reservations/index.ts";
import { minuteMs, repository, scratchPorts, worktree, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { checkCommit } from "./check-commit.ts";
import { guardWrite } from "./guard-write.ts";
import type { GuardPolicy } from "./ports.ts";
import { startSession } from "./start-session.ts";
import { createToldLosses } from "./told-losses.ts";

function guard(ports: ScratchPorts, policy: GuardPolicy = "deny") {
  const all = {
    ...ports,
    told: createToldLosses(),
    policyFor: async () => policy,
    incidents: () => [],
    clearLeftovers: async () => ({ removed: [], quarantined: [] }),
  };
  return {
    all,
    write: (call: AgentCall, ...paths: string[]) => guardWrite({ paths }, call, all),
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

it("goes on with a warning where the policy only warns", async () => {
  using ports = scratchPorts();
  const { write, commit } = guard(ports, "warn");
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await write(heron, "a.ts");
  expect(await write(otter, "a.ts")).toEqual({
    items: [{ path: "a.ts", state: "unguarded" }],
    warning: expect.stringContaining("is held by heron"),
  });
  expect((await commit(otter, "a.ts")).warnings).toEqual([expect.stringContaining("is held by heron")]);
});

it("refuses the old holder at both gates after a takeover, whoever took it and by whatever pattern [RSV-9]", async () => {
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

it("does not call a hold lost that ran out and that nobody had since", async () => {
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

it("says that there is nobody else only after it has asked, and goes on when leftovers cannot be looked at [HLTH-9]", async () => {
  using ports = scratchPorts();
  const { all } = guard(ports);
  const path = repository(ports.folder, "nest");
  const wanted = { sessionKey: "s-1", client: "claude-code", project: { path } } as const;
  const broken = { ...all, clearLeftovers: () => Promise.reject(new Error("git is gone")) };
  const { line, left } = await startSession(wanted, ports.store, broken);
  expect(line).toMatch(/No other agents here\. Of dead sessions: not all could be looked at: Error: git is gone\.$/);
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
