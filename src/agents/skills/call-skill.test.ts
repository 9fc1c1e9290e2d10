import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type AgentCaller, DomainError, type ProjectId, type SessionId, type SkillRole } from "../../contract/index.ts";
import { createTokenMeter, defineSkill, text } from "../../knowledge/skills/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { createAgentLoaders } from "./agent-loaders.ts";
import { callSkill, type CallSkillPorts, type SkillPlace } from "./call-skill.ts";
import { callable } from "./callable-skill.ts";
import { defineRole, type RoleDefinition } from "./define-role.ts";
import { createOpenRequests } from "./open-requests.ts";
import { readCatalogue } from "./read-catalogue.ts";
import { session } from "./testkit.ts";

const look = defineSkill({
  name: "look",
  description: "Look at a file.",
  domain: "files",
  keywords: ["look"],
  tier: "core",
  parameters: { path: text("Path") },
  tokens: 10,
});
const change = { ...look, name: "change", description: "Change a file." };
const names: readonly SkillRole[] = [
  "guide",
  "architect",
  "orchestrator",
  "engineer",
  "inspector",
  "tester",
  "librarian",
  "archivalist",
];
const roleOf = (name: SkillRole) => defineRole({ card: { name }, core: [look, change], extended: [] });
const roles = Object.fromEntries(names.map((name) => [name, roleOf(name)])) as unknown as Record<
  SkillRole,
  RoleDefinition
>;
const own = session("own");

let folder: ReturnType<typeof scratchFolder>;
beforeEach(() => {
  folder = scratchFolder();
});
afterEach(() => folder[Symbol.dispose]());

function ports(): CallSkillPorts<object> & { readonly places: SkillPlace[] } {
  const places: SkillPlace[] = [];
  return {
    places,
    roles,
    loaders: createAgentLoaders(),
    user: join(folder.path, "user-skills"),
    collect: { taken: new Set(["look"]), measure: createTokenMeter() },
    store: { transact: async () => expect.unreachable("nothing is changed here") },
    callablesOf(role, at) {
      places.push(at);
      return [
        callable(look, "read", async ({ path }) => `${role} reads ${path}`),
        callable(change, "change", async ({ path }) => `${role} changes ${path}`),
      ];
    },
    sessionOf: async () => own,
    async checkSession(id) {
      if (id === session("foreign")) throw new DomainError("session.not-found", "There is no such session");
    },
  };
}

const caller = (): AgentCaller => ({
  kind: "agent",
  agent: { id: "agt_1" as never, name: "otter", client: "codex" },
  project: { id: "prj_1" as ProjectId, name: "shop", path: folder.path },
  tree: folder.path,
});
const call = (): AgentCall<object> => ({ caller: caller(), transact: async () => expect.unreachable("not used") });
const asked = (name: string, wanted?: SessionId) => ({
  name,
  role: "librarian" as const,
  input: { path: "a.ts" },
  ...(wanted === undefined ? {} : { session: wanted }),
});

it("calls a skill in the caller's own session, on its own tree", async () => {
  const at = ports();
  expect(await callSkill(asked("look"), call(), at)).toEqual({ skill: "look", result: "librarian reads a.ts" });
  expect(at.places).toEqual([{ agent: "agt_1", own, session: own, tree: folder.path, project: "prj_1" }]);
});

it("reads another session that the caller may see, and changes none of them", async () => {
  const other = session("other");
  expect(await callSkill(asked("look", other), call(), ports())).toMatchObject({ result: "librarian reads a.ts" });
  await expect(callSkill(asked("change", other), call(), ports())).rejects.toMatchObject({ code: "caller.denied" });
  await expect(callSkill(asked("look", session("foreign")), call(), ports())).rejects.toMatchObject({
    code: "session.not-found",
  });
});

it("refuses a skill that the role does not have, before it looks at sessions", async () => {
  const at = ports();
  await expect(callSkill(asked("lok", session("foreign")), call(), at)).rejects.toMatchObject({
    code: "skill.not-found",
    details: { near: ["look"] },
  });
  expect(at.places).toEqual([]);
});

it("reads files for the roles that ask a model, and for no other", async () => {
  const skill = join(folder.path, ".sylk", "skills", "greet");
  mkdirSync(skill, { recursive: true });
  writeFileSync(join(skill, "SKILL.md"), "---\nname: greet\ndescription: How to greet\n---\nSay hello.\n");
  const named = async (role: SkillRole) =>
    (await readCatalogue(role, undefined, caller(), ports())).files.skills.map(({ name }) => name);
  for (const role of names)
    expect([role, await named(role)]).toEqual([role, ["architect", "engineer"].includes(role) ? ["greet"] : []]);
});

it("keeps the open requests of an agent over its calls, and those of 1,000 agents at the most", () => {
  const open = createOpenRequests();
  const first = open(own, "librarian");
  expect(open(own, "librarian")).toBe(first);
  expect(open(own, "tester")).not.toBe(first);
  for (let agent = 0; agent < 1_000; agent++) open(session(`s${agent}`), "tester");
  expect(open(own, "librarian")).not.toBe(first);
});

it("keeps what an agent has loaded until its skills are others, for 1,000 agents at the most", () => {
  const loaders = createAgentLoaders();
  const extra = { ...look, name: "extra", tier: "domain" as const };
  const first = loaders(own, "librarian", [look, extra]);
  first.request("extra");
  expect(loaders(own, "librarian", [look, extra]).loaded()).toHaveLength(2);
  expect(loaders(own, "tester", [look, extra]).loaded()).toHaveLength(1);
  expect(loaders(own, "librarian", [look, { ...extra, tokens: 11 }]).loaded()).toHaveLength(1);
  for (let agent = 0; agent < 1_000; agent++) loaders(session(`s${agent}`), "tester", [look]);
  expect(loaders(own, "librarian", [look, extra])).not.toBe(first);
});
