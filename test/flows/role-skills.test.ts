/** Every skill of every role, called through a real daemon: what it does, and what it refuses. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "../../src/agents/roles/index.ts";
import type { DagId, DomainError, SessionId, SkillRole } from "../../src/contract/index.ts";
import { generatedInput } from "./generated-input.ts";
import { type Case, casesOf, type Fields, type Graphs, having, some, text } from "./role-skill-cases.ts";
import { correction, finish } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { goodChange, makeQuickShop, patience, shopEnv, type Shop } from "./scratch-shop.ts";
import { until } from "./until.ts";

const failingTest = `console.log("not ok 1 - the price is right\\n# pass 0\\n# fail 1"); process.exit(1);`;
const scripts = { lint: "node --eval 0", test: "node test/fails.js" };
const shopFiles = {
  "package.json": JSON.stringify({ name: "shop", private: true, type: "module", scripts }),
  "test/fails.js": failingTest,
  ".gitignore": ".env\n",
  ".oxlintrc.json": '{ "rules": {} }\n',
};

let daemon: ScratchDaemon;
let shop: Shop;
let heron: ScratchAgent;
let session: SessionId;
let doomed: SessionId;
let graphs: Graphs;
let cases: Readonly<Record<string, Case>>;

beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
  shop = makeQuickShop(daemon, shopFiles);
  heron = await daemon.register("heron", { project: shop.repository });
  session = (await heron.client.call("session.create", { name: "skills" })).session.id;
  doomed = (await heron.client.call("session.create", { name: "doomed" })).session.id;
  for (const id of [doomed, session]) await heron.client.call("session.switch", { id });
  const nodes = { said: { run: "echo hello" }, bad: { run: "false" }, gate: { run: "echo on", approve: true } };
  const graph = async (at: { session?: SessionId }) => {
    const policy = { failFast: false };
    const { dag } = await heron.client.call("dag.run", { nodes, policy, project: { path: shop.repository }, ...at });
    await until("the graph waits", async () => (await show(dag.id)).status === "waiting");
    return dag.id;
  };
  graphs = { doomed: await graph({ session }), running: await graph({ session }), foreign: await graph({}) };
  const { run } = await heron.client.call("run.start", {
    request: "Add a discount to the shop",
    project: { path: shop.repository },
    session,
    approve: true,
    lintCommand: ["true"],
    testCommand: ["node", "test/fails.js"],
    rehearse: shop.scenario([...correction("the price is right", finish()), ...goodChange(["price"])]),
  });
  const isDone = async () => ["verified", "unverified", "failed"].includes((await seen(run.id)).status);
  await until("the run has ended", isDone, patience);
  cases = casesOf({ run: run.id, session, doomed, graphs });
}, 120_000);
afterAll(() => daemon[Symbol.asyncDispose]());

const show = async (id: DagId) => (await heron.client.call("dag.show", { id })).dag;
const seen = async (id: string) => (await heron.client.call("run.get", { id })).run;
/** By the name of its tool where it has one of its own: one name may be another skill's tool. */
const call = (role: SkillRole, skill: string, input: Fields, more: { session?: SessionId } = {}) => {
  const [name] = Object.entries(roles[role].tools).find(([, of]) => of === skill) ?? [skill];
  return heron.client.call("skill.call", { name, role, input, ...more });
};
const toldBy = (error: unknown) => {
  const { code, message } = error as DomainError;
  return { code, message };
};

/** What a role does in runs only: told so, with the way out. */
const inRuns = { code: "caller.denied", message: text("acts inside a run only; ") };
const actsInRuns = new Set(["orchestrator.execute_dag", "inspector.validate_task"]);

function caseOf(role: SkillRole, name: string): Case {
  const { core, extended } = roles[role];
  if (name === "load_skill") return { input: { name: extended[0]!.name }, gives: text(extended[0]!.description) };
  const known = cases[`${role}.${name}`] ?? cases[name];
  if (known !== undefined) return known;
  const livesInRuns = role === "engineer" || role === "architect" || actsInRuns.has(`${role}.${name}`);
  expect(livesInRuns, `${role}.${name} has neither a case nor a run to act in`).toBe(true);
  const { inputSchema } = [...core, ...extended].find((skill) => skill.name === name)!;
  return { input: generatedInput(inputSchema) as Fields, refuses: inRuns };
}

describe.each(Object.keys(roles) as SkillRole[])("the %s", (role) => {
  const skills = [...roles[role].core, ...roles[role].extended].map(({ name }) => name);

  it("does by each of its core and extended skills what the skill says, and refuses other input", async () => {
    for (const name of skills) {
      const { input, gives, refuses } = caseOf(role, name);
      const outcome = await call(role, name, input).then(
        ({ result }) => ({ gives: result }),
        (error: unknown) => ({ refuses: toldBy(error) }),
      );
      const expected = typeof gives === "object" && !("asymmetricMatch" in gives!) ? having(gives!) : gives;
      expect([name, outcome]).toEqual([name, refuses === undefined ? { gives: expected } : { refuses }]);
      await expect(call(role, name, { unheard: 1 }), `${name} with other input`).rejects.toMatchObject({
        code: "input.invalid",
      });
    }
  }, 60_000);
});

it("an agent that looks into another session changes nothing there, and no other session's graph [COMMON-10]", async () => {
  const other = (await show(graphs.foreign)).session;
  const denied = { code: "caller.denied", message: text(other) };
  await expect(call("orchestrator", "cancel_execution", { dag_id: graphs.foreign })).rejects.toMatchObject(denied);
  await expect(call("orchestrator", "cancel_execution", {}, { session: other })).rejects.toMatchObject(denied);
  expect((await show(graphs.foreign)).status).toBe("waiting");
  const { result } = await call("orchestrator", "get_status", {}, { session: other });
  expect(result).toMatchObject({ items: [{ id: graphs.foreign }] });
});

it("files outside of the tree, behind links and unknown to git are read by no role", async () => {
  writeFileSync(join(shop.repository, ".env"), "KEY=secret\n");
  writeFileSync(join(daemon.root, "outside.txt"), "secret\n");
  symlinkSync(join(daemon.root, "outside.txt"), join(shop.repository, "linked.txt"));
  for (const [path, code] of [
    ["../outside.txt", "caller.denied"],
    [join(daemon.root, "outside.txt"), "caller.denied"],
    ["linked.txt", "caller.denied"],
    [".env", "input.invalid"],
    [".git/config", "input.invalid"],
  ] as const) {
    await expect(call("librarian", "get_file", { path }), path).rejects.toMatchObject({ code });
    await expect(call("tester", "cat_file", { path }), path).rejects.toMatchObject({ code });
  }
  await expect(call("inspector", "run_linter", { path: ".." })).rejects.toMatchObject({ code: "caller.denied" });
});

describe("a slash line typed into sylk ask", () => {
  const ask = (input: string) =>
    heron.client
      .call("ask.send", { input, project: { path: shop.repository } })
      .then(({ to, answer }) => ({ to, ...answer }), toldBy);

  it("reaches run_command of the role that has the command or is addressed; unknown ones name the nearest first", async () => {
    expect(await ask("/issues")).toMatchObject({ to: "inspector", data: { issues: some({ by: "tester" }) } });
    expect(await ask("@to:inspector /issues")).toMatchObject({ to: "inspector", text: text("issues:\n- ") });
    expect(await ask("@to:tester /test results")).toMatchObject({ to: "tester", data: { status: "unverified" } });
    expect(await ask("/status")).toMatchObject({ to: "architect", text: text("status: unverified") });
    expect(await ask("@to:architect /find total")).toMatchObject({ to: "architect", text: text("src/cart.ts:4") });
    expect(await ask("/file src/cart.ts 4 4")).toMatchObject({ to: "librarian", text: text("function total(") });
    const known = "did you mean /find? Known: /find, /status, /research, ";
    expect(await ask("/fnd total")).toMatchObject({ code: "input.invalid", message: text(known) });
    expect(await ask("@to:tester /fnd")).toMatchObject({ code: "input.invalid", message: text(known) });
    expect(await ask("@to:archivalist /find x")).toMatchObject({
      code: "input.invalid",
      message: text("takes no slash"),
    });
    expect(await ask("/file")).toMatchObject({ code: "input.invalid", message: text("/file src/cart.ts 1 20") });
    const { stdout } = await shop.sylk("ask", "--explain", "/lint");
    expect(stdout).toMatch(/^inspector would be asked/);
  });
});
