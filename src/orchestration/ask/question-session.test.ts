import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { AgentCaller, Caller, SessionId } from "../../contract/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { scratchSessions } from "../sessions/testkit.ts";
import { placeOf } from "./question-place.ts";
import { questionSessions } from "./question-session.ts";
import { ensureStanding, standingSession } from "./standing-session.ts";

let at: Awaited<ReturnType<typeof scratchSessions>>;
let folder: ReturnType<typeof scratchFolder>;
beforeEach(async () => {
  at = await scratchSessions();
  folder = scratchFolder();
  execFileSync("git", ["init", "-q", folder.path]);
});
afterEach(() => {
  at[Symbol.dispose]();
  folder[Symbol.dispose]();
});

const user: Caller = { kind: "user", project: undefined };
const shop = () => ({ path: "/srv/shop", project: at.project });
const agentOf = (path: string): AgentCaller => ({
  kind: "agent",
  agent: { id: at.ids.next("agt"), name: "otter", client: "codex" },
  project: { id: at.project, name: "shop", path },
  tree: path,
});
const rules = (active?: SessionId) => questionSessions({ active: async () => active }, at.store.reader);

it("takes the session a question names, else the caller's current one, else the project's own", async () => {
  const { id } = await at.create();
  const current = at.ids.next("ses");
  expect(await rules(current).of(id, shop(), user)).toBe(id);
  expect(await rules(current).of(undefined, shop(), user)).toBe(current);
  expect(await rules().of(undefined, shop(), user)).toBe(standingSession("/srv/shop"));
  expect(await rules(current).ofAgent(agentOf("/srv/shop"))).toBe(current);
});

it("refuses a session of another project, and every session of a project that is not known yet", async () => {
  const { id } = await at.create();
  const refused = { code: "session.not-found" };
  await expect(rules().of(id, { ...shop(), project: at.ids.next("prj") }, user)).rejects.toMatchObject(refused);
  await expect(rules().of(id, { path: "/srv/new", project: undefined }, user)).rejects.toMatchObject(refused);
  expect(await rules().known(id, undefined)).toBe(id);
});

it("gives each project a standing session of its own, made with the project at the first answer", async () => {
  expect(standingSession("/srv/a")).toMatch(/^ses_0{10}[0-9a-f]{12}$/);
  expect(standingSession("/srv/a")).not.toBe(standingSession("/srv/b"));
  const place = await placeOf(folder.path, user, at.store.reader);
  expect(place.project).toBeUndefined();
  const id = standingSession(place.path);
  const ensure = () => at.store.transact("ask", (tx) => ensureStanding(id, place, tx, at));
  const project = await ensure();
  expect(await ensure()).toBe(project);
  expect(await placeOf(folder.path, user, at.store.reader)).toMatchObject({ project });
  expect(await at.store.reader.sessions.find(id)).toMatchObject({ project, name: "questions", implicit: true });
  expect((await at.events()).map(({ type }) => type)).toEqual(["session.created"]);
});

it("lets an agent ask about its own project only", async () => {
  const { path } = await placeOf(folder.path, user, at.store.reader);
  await expect(placeOf(folder.path, agentOf("/srv/shop"), at.store.reader)).rejects.toMatchObject({
    code: "caller.denied",
  });
  expect((await placeOf(folder.path, agentOf(path), at.store.reader)).path).toBe(path);
});
