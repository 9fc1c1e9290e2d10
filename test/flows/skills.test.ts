/** Skills in runs and on the surfaces: what lies in folders reaches the models that need it, and nobody else's files do. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogEvent, OutputOf } from "../../src/contract/index.ts";
import { finish, plan, type Part, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { makeQuickShop, messagesOf, shopEnv } from "./scratch-shop.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const skill = (name: string, keywords: string, tier: string, body: string): string =>
  `---\nname: ${name}\ndescription: About ${name}.\nmetadata:\n  keywords: ${keywords}\n  tier: ${tier}\n---\n${body}\n`;
const files = {
  ".sylk/skills/price-rules/SKILL.md": skill("price-rules", "discount, rebate", "domain", "Round at the end."),
  ".sylk/skills/release-notes/SKILL.md": skill("release-notes", "discount", "specialised", "One line for each change."),
  ".sylk/skills/broken/SKILL.md": "no front matter",
};
const use = (tool: string, input: Readonly<Record<string, unknown>>): Part => ({ tool, input });

it(
  "a run loads what its text calls for, lets models ask for more, and records what and why [SKILL-1, SKILL-3, COMMON-1]",
  { timeout: 120_000 },
  async () => {
    const mine = join(daemon.paths.home, "skills", "mine", "SKILL.md");
    mkdirSync(dirname(mine), { recursive: true });
    writeFileSync(mine, skill("mine", "shop", "domain", "The user's own."));
    const shop = makeQuickShop(daemon, files);
    const { run, events } = await shop.run(
      [
        { when: { tool: "propose_plan", turn: 0 }, reply: [use("run_command", { command: "/fnd cart" })] },
        {
          when: { tool: "propose_plan", turn: 1 },
          expect: { toolResult: "no command /fnd; did you mean /find" },
          reply: [use("run_command", { command: "/find cart", options: {} })],
        },
        { ...plan([{ key: "price" }], 2), expect: { toolResult: "src/cart.ts" } },
        ...work(
          "price",
          use("load_skill", { name: "release-nots" }),
          {
            expect: { toolResult: "did you mean release-notes" },
            reply: [use("load_skill", { name: "release-notes" })],
          },
          {
            expect: { toolResult: "untrusted input from skill release-notes.*One line for each change" },
            reply: [use("route_to", { target: "librarian", message: "cart" })],
          },
          { expect: { toolResult: "src/cart.ts" }, reply: [use("route_to", { target: "tester", message: "run" })] },
          {
            expect: { toolResult: "cannot write to .*tester.*librarian" },
            reply: [write("src/price.ts", "export const price = 1;\n")],
          },
          finish(),
        ),
      ],
      { request: "Add a discount to the shop" },
    );
    expect([run.status, run.reason]).toEqual(["verified", undefined]);
    const loads = events.filter(({ type }) => type === "run.skills-loaded").map(factsOf);
    const byText = [
      ["price-rules", "project", { by: "keywords", matched: ["discount"], score: 1 }],
      ["mine", "user", { by: "keywords", matched: ["shop"], score: 1 }],
    ];
    expect(loads).toEqual([
      { role: "architect", loaded: expect.arrayContaining(byText) as unknown, problems: 1 },
      { role: "engineer", loaded: expect.arrayContaining(byText) as unknown, problems: 1 },
      { role: "engineer", loaded: [["release-notes", "project", { by: "tool-call" }]], problems: 0 },
    ]);
    const asked = messagesOf(events).filter(({ type }) => type === "CONTEXT_REQUEST");
    expect(asked.map(({ from }) => from)).toEqual(["architect", "architect", "engineer"]);
  },
);

function factsOf({ data }: LogEvent) {
  const { role, loaded, problems } = data as {
    role: string;
    loaded: { name: string; source: string; why: object }[];
    problems: string[];
  };
  return { role, loaded: loaded.map(({ name, source, why }) => [name, source, why]), problems: problems.length };
}

describe("sylk skills", () => {
  it("lists what a role has and what a text would load, shows one, and checks folders with every problem's line", async () => {
    const shop = makeQuickShop(daemon, files);
    const listed = await shop.sylk("skills", "list", "--for", "a discount", "--json");
    const { items, budget, problems } = JSON.parse(listed.stdout) as OutputOf<"skill.list">;
    const of = (name: string) => items.find((item) => item.name === name);
    expect(of("price-rules")).toMatchObject({
      tier: "domain",
      source: "project",
      file: join(shop.repository, ".sylk/skills/price-rules/SKILL.md"),
      loaded: { by: "keywords", matched: ["discount"] },
    });
    expect([of("release-notes")?.loaded, of("read_file")?.loaded]).toEqual([undefined, { by: "core" }]);
    const loaded = items.filter((item) => item.loaded !== undefined);
    expect(budget.used).toBe(loaded.reduce((sum, { tokens }) => sum + tokens, 0));
    expect(problems).toMatchObject([{ line: 1 }]);

    const shown = await shop.sylk("skills", "show", "price-rules");
    expect(shown.stdout).toMatch(
      /untrusted input from skill price-rules.*\n.*\| # price-rules\n[^]*\| Round at the end\./,
    );
    const checked = await shop.sylk("skills", "check", ".sylk/skills");
    expect([checked.code, checked.stdout]).toEqual([
      2,
      expect.stringMatching(/ok {2}price-rules[^]*broken\/SKILL.md:1: it does not begin/),
    ]);
    expect((await shop.sylk("skills", "check", ".sylk/skills/price-rules")).code).toBe(0);
  });
});

type Loaded = OutputOf<"skill.loaded">;

describe("what an agent has loaded", () => {
  const guide = async (shop: ReturnType<typeof makeQuickShop>): Promise<Loaded> =>
    JSON.parse((await shop.sylk("skills", "loaded", "--json")).stdout) as Loaded;
  const names = ({ loaded }: Loaded) => loaded.map(({ name }) => name);

  it("is reported with core, extended and budget, and one skill is loaded and unloaded by name [GUIDE-33, SKILL-10]", async () => {
    const shop = makeQuickShop(daemon);
    const before = await guide(shop);
    expect(before).toMatchObject({ role: "guide", budget: { max: 4_000, maxSkills: 20, skills: before.core.length } });
    expect(before.extended).toEqual(["sessions", "metrics", "switch_session", "create_session", "close_session"]);
    expect([names(before), before.loaded.every(({ why }) => why.by === "core")]).toEqual([before.core, true]);
    expect(before.budget.used).toBe(before.loaded.reduce((sum, { tokens }) => sum + tokens, 0));

    const load = await shop.sylk("skills", "load", "guide_sessions");
    expect([load.code, load.stdout]).toEqual([
      0,
      expect.stringMatching(/^loaded sessions, \d+ tokens\nbudget: \d+ of 4000 /),
    ]);
    const loaded = await guide(shop);
    const sessions = loaded.loaded.find(({ name }) => name === "sessions")!;
    expect([sessions.why, loaded.budget.used]).toEqual([{ by: "request" }, before.budget.used + sessions.tokens]);
    expect((await shop.sylk("skills", "loaded")).stdout).toMatch(/^sessions +domain +\d+ +request$/m);
    const tester = async () =>
      JSON.parse((await shop.sylk("skills", "loaded", "--role", "tester", "--json")).stdout) as Loaded;
    const own = await tester();
    expect([own.role, names(own)], "each agent has its own").toEqual(["tester", own.core]);
    expect((await shop.sylk("skills", "load", own.extended[0]!, "--role", "tester")).code).toBe(0);
    expect(names(await tester())).toEqual([...own.core, own.extended[0]]);
    expect(await guide(shop)).toEqual(loaded);

    expect((await shop.sylk("skills", "unload", "sessions")).stdout).toContain("unloaded sessions");
    expect(await guide(shop)).toEqual(before);
    const core = await shop.sylk("skills", "unload", "help");
    expect([core.code, core.stderr]).toEqual([2, expect.stringContaining("help is a core skill")]);
  });

  it("is unloaded after five calls without it, and kept by its use; other agents and sessions have their own [SKILL-8]", async () => {
    const shop = makeQuickShop(daemon);
    const { client } = await daemon.register("skilled", { project: shop.repository });
    const loaded = async () => names(await client.call("skill.loaded", {}));
    const call = (name: string) => client.call("skill.call", { name, input: {} });
    await client.call("skill.load", { name: "metrics" });
    for (let turn = 0; turn < 4; turn++) await call("guide_agents");
    expect(await loaded()).toContain("metrics");
    await call("guide_metrics");
    for (let turn = 0; turn < 4; turn++) await call("guide_agents");
    expect(await loaded()).toContain("metrics");
    await call("guide_agents");
    expect(await loaded()).not.toContain("metrics");

    await client.call("skill.load", { name: "metrics" });
    const { session } = await client.call("session.create", { name: "other" });
    await client.call("session.switch", { id: session.id });
    expect(await client.call("skill.loaded", {})).toMatchObject({ session: session.id });
    expect(await loaded()).not.toContain("metrics");
  });
});

describe("the Guide's tools, called by an agent", () => {
  it("do what they say to real sessions, questions and agents, and refuse what does not fit [GUIDE-30, GUIDE-31, GUIDE-32]", async () => {
    const { client } = await daemon.register("caller");
    const use = async (name: string, input: object = {}) =>
      (await client.call("skill.call", { name, input: input as Record<string, unknown> })).result as Fields;
    const made = (await use("guide_create_session", { name: "by a tool" })).session as Fields;
    expect(made).toMatchObject({ name: "by a tool", state: "created" });
    expect(await use("guide_switch_session", { session_id: made.id })).toMatchObject({ session: { state: "active" } });
    expect((await use("guide_sessions", { all: true })).items).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: made.id })]),
    );
    expect(await use("guide_route", { input: "@to:archivalist what did we try?" })).toMatchObject({
      to: "archivalist",
      session: made.id,
    });
    expect(await use("guide_agent_route", { agent: "archivalist", prompt: "what did we try?" })).toMatchObject({
      answer: { to: "archivalist" },
    });
    expect(await use("route_to", { target: "archivalist", message: "what?" })).toMatchObject({
      answer: { to: "archivalist" },
    });
    expect(await use("broadcast", { targets: ["archivalist"], message: "what?" })).toBeDefined();
    expect(await use("guide_agents")).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "librarian" }),
        expect.objectContaining({ name: "tester" }),
      ]),
    );
    expect(await use("guide_metrics", { session_id: made.id })).toMatchObject({ session: { id: made.id } });
    expect(await use("guide_status")).toMatchObject({ limit: 100 });
    expect((await use("guide_help", { topic: "@to" })).help).toEqual([expect.stringContaining("@to:<agent>")]);
    expect(await use("guide_close_session", { session_id: made.id })).toMatchObject({
      session: { state: "completed" },
    });
    for (const [name, input, code] of [
      ["guide_create_session", { name: 7 }, "input.invalid"],
      ["guide_agent_route", { agent: "engineer", prompt: "x" }, "input.invalid"],
      ["reply_to", { correlation_id: "msg_1", response: "x" }, "input.invalid"],
      ["guide_close_session", { session_id: made.id }, "session.not-possible"],
      ["guide_everything", {}, "skill.not-found"],
    ] as const)
      await expect(use(name, input), name).rejects.toMatchObject({ code });
  });
});

type Fields = Readonly<Record<string, unknown>>;
