import { describe, expect, it } from "vitest";
import { session, signal } from "../skills/testkit.ts";
import { createSkillDesk, type RoutingPort, sharedCallables, type SkillDesk } from "../skills/index.ts";
import { guideCallables, type GuidePorts } from "./guide-skills.ts";
import { guideRole } from "./skills.ts";

const home = session("home");

/** Ports that say what reached them. */
function guide() {
  const reached: unknown[][] = [];
  const told =
    (port: string) =>
    async (...given: readonly unknown[]) => {
      const plain = given.map((one) => (one instanceof AbortSignal ? "signal" : one));
      reached.push([port, ...plain]);
      return { from: port };
    };
  const ports: GuidePorts & RoutingPort = {
    send: (input, { session: at }) => told("send")(input, at),
    agents: told("agents"),
    status: told("status"),
    help: told("help"),
    sessions: told("sessions"),
    metrics: told("metrics"),
    switchSession: told("switchSession"),
    createSession: told("createSession"),
    closeSession: told("closeSession"),
    route: async (message, stop) => ({ correlationId: "msg_1", answer: await told("route")(message, stop) }),
    reply: async (reply) => void (await told("reply")(reply)),
  };
  const callable = [...sharedCallables(ports), ...guideCallables(ports)];
  const desk = createSkillDesk({ role: guideRole, session: home, callable });
  const callTool = (tool: string, input: unknown, terms: Parameters<SkillDesk["call"]>[2]) =>
    desk.call(guideRole.tools[tool] ?? tool, input, terms);
  return { ...desk, callTool, reached };
}

const other = session("other");
const routed = { session: home, from: "guide", message: "plan it" };

describe("tools of the Guide", () => {
  it.each([
    ["guide_route", "route", { input: "@to:architect plan it" }, ["send", "@to:architect plan it", home]],
    [
      "guide_agent_route",
      "guide_route",
      { agent: "architect", prompt: "plan it", context: { file: "a.ts" } },
      ["route", { ...routed, to: "architect", message: 'plan it\n\ncontext: {"file":"a.ts"}' }, "signal"],
    ],
    ["guide_help", "help", { topic: "@to" }, ["help", "@to"]],
    ["guide_status", "status", {}, ["status", home]],
    ["guide_agents", "agents", {}, ["agents", home]],
    [
      "route_to",
      "route_to",
      { target: "tester", message: "plan it" },
      ["route", { ...routed, to: "tester" }, "signal"],
    ],
    [
      "broadcast",
      "broadcast",
      { targets: ["tester"], message: "plan it" },
      ["route", { session: home, from: "guide", to: "tester", message: "plan it" }, "signal"],
    ],
  ])("%s calls the core skill %s [GUIDE-30, GUIDE-32]", async (tool, skill, input, effect) => {
    const { callTool, reached, core } = guide();
    expect([guideRole.tools[tool], core.some(({ name }) => name === skill)]).toEqual([skill, true]);
    await callTool(tool, input, { signal });
    expect(reached).toEqual([effect]);
    await expect(callTool(tool, { unheard: 1 }, { signal })).rejects.toMatchObject({ code: "input.invalid" });
    expect(reached).toHaveLength(1);
  });

  it.each([
    ["guide_sessions", "sessions", { all: true }, ["sessions", { all: true }]],
    ["guide_sessions", "sessions", {}, ["sessions", { all: false }]],
    ["guide_metrics", "metrics", { session_id: other }, ["metrics", other]],
    ["guide_switch_session", "switch_session", { session_id: other }, ["switchSession", other]],
    ["guide_create_session", "create_session", { name: "cart" }, ["createSession", "cart"]],
    ["guide_close_session", "close_session", { session_id: other }, ["closeSession", other]],
  ])(
    "%s calls the extended skill %s, which loads by the call [GUIDE-31, GUIDE-32, GUIDE-29]",
    async (tool, skill, input, effect) => {
      const { callTool, reached, extended, loaded } = guide();
      expect([guideRole.tools[tool], extended.some(({ name }) => name === skill)]).toEqual([skill, true]);
      const isLoaded = () => loaded().find((one) => one.skill.name === skill)?.why;
      expect(isLoaded()).toBeUndefined();
      await callTool(tool, input, { signal });
      expect([reached, isLoaded()]).toEqual([[effect], { by: "tool-call" }]);
      await expect(callTool(tool, { session_id: 7, all: 7, name: 7 }, { signal })).rejects.toMatchObject({
        code: "input.invalid",
      });
      expect(reached).toHaveLength(1);
    },
  );

  it("reply_to answers a message that was routed to the Guide, and no other [GUIDE-30, GUIDE-32]", async () => {
    const { callTool, reached } = guide();
    await callTool("route_from", { source: "tester", message: "?", correlation_id: "msg_3" }, { signal });
    await callTool("reply_to", { correlation_id: "msg_3", response: "yes" }, { signal });
    const reply = {
      session: home,
      from: "guide",
      to: "tester",
      correlationId: "msg_3",
      response: "yes",
      complete: true,
    };
    expect(reached).toEqual([["reply", reply]]);
    await expect(callTool("reply_to", { correlation_id: "msg_4", response: "no" }, { signal })).rejects.toThrow(
      "msg_4",
    );
  });
});

it("need the session that is to be switched to or closed [GUIDE-31]", async () => {
  const { callTool, reached } = guide();
  for (const tool of ["guide_switch_session", "guide_close_session"])
    await expect(callTool(tool, {}, { signal }), tool).rejects.toMatchObject({ code: "input.invalid" });
  expect(reached).toEqual([]);
});

it("let another session be looked at by these alone; the rest is refused there and reaches nothing [COMMON-10]", async () => {
  const { callTool, reached, core, extended } = guide();
  const seen: string[] = [];
  for (const { name } of [...core, ...extended])
    await callTool(name, {}, { session: other, signal }).catch((error: unknown) => {
      if ((error as { code: string }).code === "caller.denied") seen.push(name);
    });
  const denied = ["route", "guide_route", "route_to", "route_from", "reply_to", "broadcast"];
  expect(seen).toEqual([...denied, "switch_session", "create_session", "close_session"]);
  expect(reached.map(([port]) => port)).toEqual(["help", "status", "agents", "sessions", "metrics"]);
});

it("names exactly these core and extended skills, and those of every agent [GUIDE-30, GUIDE-31]", () => {
  expect(guideRole.core.map(({ name }) => name)).toEqual([
    "route",
    "guide_route",
    "help",
    "status",
    "agents",
    "route_to",
    "route_from",
    "reply_to",
    "broadcast",
    "load_skill",
  ]);
  expect(guideRole.extended.map(({ name }) => name).sort()).toEqual(
    ["sessions", "metrics", "switch_session", "create_session", "close_session"].sort(),
  );
});

it("routes by guide_route to six agents and no other [GUIDE-30]", async () => {
  const { callTool } = guide();
  const asked = ["academic", "architect", "librarian", "archivalist", "tester", "inspector"];
  for (const agent of asked) await callTool("guide_agent_route", { agent, prompt: "x" }, { signal });
  await expect(callTool("guide_agent_route", { agent: "engineer", prompt: "x" }, { signal })).rejects.toThrow(
    "agent: ",
  );
});

it("reports core, extended and loaded skills and the budget, and loads and unloads one by name [GUIDE-29]", () => {
  const { core, extended, loaded, budget, load, unload, turn } = guide();
  const names = () => loaded().map(({ skill }) => skill.name);
  const used = core.reduce((sum, { tokens }) => sum + tokens!, 0);
  expect([names(), budget()]).toEqual([
    core.map(({ name }) => name),
    { used, max: 4_000, skills: core.length, maxSkills: 20 },
  ]);
  expect(load("metrics").why).toEqual({ by: "request" });
  expect([names().at(-1), budget().used > used, extended.length]).toEqual(["metrics", true, 5]);
  unload("metrics");
  expect([names().includes("metrics"), budget().used]).toEqual([false, used]);
  expect(turn("please close session 7").loaded).toEqual(["close_session"]);
  expect(() => unload("route")).toThrow("stays loaded");
  expect(() => load("metric")).toThrow("did you mean metrics?");
});
