import { linkSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { InputOf } from "../../contract/index.ts";
import { registerAgent } from "../registry/index.ts";
import { acquireReservation } from "../reservations/index.ts";
import { type AgentCall, minuteMs, repository, scratchPorts, type ScratchPorts, worktree } from "../testkit.ts";
import { confineCommand } from "./confine-command.ts";
import type { ConfinementState, HeldPlaces } from "./confinement.ts";
import type { GuardPolicy } from "./ports.ts";

type Terms = {
  readonly state?: ConfinementState;
  readonly enforce?: "auto" | "on" | "off";
  readonly policy?: GuardPolicy;
};

/** What would be bound, in place of words: from the root of the agent's tree. */
function confining(
  ports: ScratchPorts,
  { state = { enforced: true, by: "trial" }, enforce = "auto", policy = "deny" }: Terms = {},
) {
  const bound: HeldPlaces[] = [];
  const confinement = {
    state: async () => state,
    running: async () => [],
    wordsFor: (places: HeldPlaces) => {
      bound.push(places);
      return ["with", "--"];
    },
  };
  return async ({ caller }: AgentCall, cwd?: string) => {
    bound.length = 0;
    const input = cwd === undefined ? {} : { cwd };
    const answer = await confineCommand(input, caller, {
      ...ports,
      confinement,
      enforce,
      policyFor: async () => policy,
    });
    const inTree = (places: readonly string[] = []) => places.map((place) => place.slice(caller.tree.length + 1));
    return { ...answer, readOnly: inTree(bound[0]?.readOnly), pinned: inTree(bound[0]?.pinned) };
  };
}

function put(call: AgentCall, ...paths: string[]): void {
  for (const path of paths) {
    const file = join(call.caller.tree, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, path);
  }
}
const hold = (call: AgentCall, terms: Partial<InputOf<"reservation.acquire">>, ports: ScratchPorts) =>
  acquireReservation({ paths: [], patterns: [], mode: "exclusive", scope: "tree", waitMs: 0, ...terms }, call, ports);

it("runs a command plainly where others hold nothing, and its own holds stay writable", async () => {
  using ports = scratchPorts();
  const confine = confining(ports);
  const heron = await ports.caller("heron");
  put(heron, "src/a.ts");
  await hold(heron, { paths: ["src/a.ts"] }, ports);
  expect(await confine(heron)).toMatchObject({ state: "plain", words: [], held: [] });
});

it("makes others' files read-only and pins the folders above them, the outermost first", async () => {
  using ports = scratchPorts();
  const confine = confining(ports);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  put(heron, "a.ts", "src/deep/b.ts");
  await hold(heron, { paths: ["a.ts", "src/deep/b.ts"] }, ports);
  expect(await confine(otter)).toMatchObject({
    state: "enforced",
    words: ["with", "--"],
    readOnly: ["a.ts", "src/deep/b.ts"],
    pinned: ["src", "src/deep"],
    held: [
      { path: "a.ts", holder: "heron" },
      { path: "src/deep/b.ts", holder: "heron" },
    ],
  });
  ports.clock.advance(6 * minuteMs);
  expect(await confine(otter)).toMatchObject({ state: "plain" });
});

it("takes a whole folder for folder/**, the files that match for other globs, and leaves .git open for **", async () => {
  using ports = scratchPorts();
  const confine = confining(ports);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  put(heron, "src/a.ts", "src/b.js", "src/deep/c.ts", "lib/d.ts", ".git/config");
  const { reservation } = await hold(heron, { patterns: ["lib/**", "src/**/*.ts"] }, ports);
  expect((await confine(otter)).readOnly).toEqual(["lib", "src/a.ts", "src/deep/c.ts"]);
  ports.leases.end(reservation.id);
  await ports.store.transact(heron.caller.project.id, (tx) =>
    tx.reservations.end(reservation.id, ports.clock.now(), "release"),
  );
  await hold(heron, { patterns: ["**"] }, ports);
  const all = (await confine(otter)).readOnly;
  expect(all).toEqual(expect.arrayContaining(["lib", "src"]));
  expect(all).not.toContain(".git");
});

it("keeps a shared file read-only for agents that do not share it", async () => {
  using ports = scratchPorts();
  const confine = confining(ports);
  const [heron, otter, wren] = [await ports.caller("heron"), await ports.caller("otter"), await ports.caller("wren")];
  put(heron, "a.ts");
  await hold(heron, { paths: ["a.ts"], mode: "shared" }, ports);
  await hold(otter, { paths: ["a.ts"], mode: "shared" }, ports);
  expect(await confine(otter)).toMatchObject({ state: "plain" });
  expect(await confine(wren)).toMatchObject({ state: "enforced", readOnly: ["a.ts"] });
});

it("takes a session and its sub-agents for one: a shell does not tell which of them runs it", async () => {
  using ports = scratchPorts();
  const confine = confining(ports);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  put(heron, "a.ts", "b.ts");
  const { agent } = await registerAgent(
    {
      sessionKey: "child",
      client: "other",
      project: { path: heron.caller.tree },
      name: "lynx",
      parent: heron.caller.agent.id,
    },
    ports.store,
    ports,
  );
  const lynx = { ...heron, caller: { ...heron.caller, agent } } as AgentCall;
  await hold(heron, { paths: ["a.ts"] }, ports);
  await hold(lynx, { paths: ["b.ts"] }, ports);
  expect(await confine(lynx)).toMatchObject({ state: "plain" });
  expect(await confine(heron)).toMatchObject({ state: "plain" });
  expect((await confine(otter)).readOnly).toEqual(["a.ts", "b.ts"]);
});

it("says what it cannot keep: a file that does not exist yet, a hard link, a link out of the tree", async () => {
  using ports = scratchPorts();
  const confine = confining(ports);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  put(heron, "linked.ts", "target.ts");
  linkSync(join(heron.caller.tree, "linked.ts"), join(heron.caller.tree, "second.ts"));
  symlinkSync("/etc/hosts", join(heron.caller.tree, "out.ts"));
  symlinkSync("target.ts", join(heron.caller.tree, "in.ts"));
  await hold(heron, { paths: ["new.ts", "linked.ts", "out.ts", "in.ts"] }, ports).catch(async () => {
    await hold(heron, { paths: ["new.ts", "linked.ts", "in.ts"] }, ports);
  });
  const { readOnly, exceptions } = await confine(otter);
  expect(readOnly).toEqual(["linked.ts", "target.ts"]);
  expect(exceptions).toEqual(
    expect.arrayContaining([
      "new.ts does not exist yet; the text guard alone keeps it",
      "linked.ts has another name by a hard link, which can be written",
    ]),
  );
});

it("looks at its own tree, at repositories inside it, and for a hold on the repository at the same path", async () => {
  using ports = scratchPorts();
  const confine = confining(ports);
  const heron = await ports.caller("heron");
  const beside = worktree(ports.folder, heron.caller.tree, "beside");
  const inner = join(heron.caller.tree, "vendor", "inner");
  repository({ path: join(heron.caller.tree, "vendor") }, "inner");
  const [otter, wren] = [await ports.caller("otter", beside), await ports.caller("wren", inner)];
  put(heron, "a.ts", "b.ts");
  put(otter, "a.ts", "b.ts");
  put(wren, "c.ts");
  await hold(otter, { paths: ["a.ts"] }, ports);
  expect(await confine(heron)).toMatchObject({ state: "plain" });
  await hold(otter, { paths: ["b.ts"], scope: "repository" }, ports);
  await hold(wren, { paths: ["c.ts"] }, ports);
  expect((await confine(heron)).readOnly).toEqual(["b.ts", "vendor/inner/c.ts"]);
  expect((await confine(heron, realpathSync(beside))).held.map(({ path }) => path)).toEqual(["a.ts", "b.ts"]);
});

it("enforces nothing where it is off, only warned or impossible, and refuses where it must", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  put(heron, "a.ts");
  await hold(heron, { paths: ["a.ts"] }, ports);
  const cannot = { enforced: false, reason: "no user namespaces" } as const;
  const reasonOf = async (terms: Terms) => (await confining(ports, terms)(otter)).reason;
  expect(await reasonOf({ enforce: "off" })).toBe("guard.enforce is off");
  expect(await reasonOf({ policy: "warn" })).toBe("guard.policy is warn");
  expect(await reasonOf({ state: cannot })).toBe("no user namespaces");
  await expect(confining(ports, { state: cannot, enforce: "on" })(otter)).rejects.toMatchObject({
    code: "write.unenforced",
    message: expect.stringContaining('heron holds "a.ts", and the kernel cannot keep it read-only'),
  });
});
