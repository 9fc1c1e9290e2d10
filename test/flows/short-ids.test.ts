/** Ids as people type them: a start, another part, a name, or nothing where the newest is meant. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { WorkItem } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";

let daemon: ScratchDaemon;
let heron: ScratchAgent;
let orders: WorkItem;
let receipts: WorkItem;

beforeAll(async () => {
  daemon = await openScratchDaemon();
  heron = await daemon.register("heron");
  await daemon.register("heron-two");
  const add = async (title: string) => (await heron.client.call("work-item.create", { title })).workItem;
  [orders, receipts] = [await add("Rate-limit orders"), await add("Print receipts")];
});
afterAll(() => daemon[Symbol.asyncDispose]());

const sylk = (...words: string[]) => daemon.sylk(words, { env: { SYLK_AGENT: "heron" } });

it("takes the shortest start that is unique, with and without the type, and the end of an id [CORE-29]", async () => {
  let length = 5;
  while (receipts.id.startsWith(orders.id.slice(0, length))) length++;
  const start = orders.id.slice(0, length);
  for (const word of [start, start.slice("wrk_".length), orders.id.slice(-6), orders.id]) {
    const shown = await sylk("work", "show", word, "--json");
    expect(shown, shown.stderr).toMatchObject({ code: 0 });
    expect((JSON.parse(shown.stdout) as { workItem: WorkItem }).workItem.id).toBe(orders.id);
  }
  expect((await sylk("claim", start)).stdout).toContain('"Rate-limit orders" is claimed by heron');
  expect((await sylk("unclaim", orders.id.slice(-6))).code).toBe(0);
});

it("lists at most five candidates with their titles when a word fits several things [CORE-29]", async () => {
  const { code, stderr } = await sylk("claim", "wrk_0");
  expect(code).toBe(2);
  expect(stderr).toContain('<id> "wrk_0" could be more than one work item');
  for (const { id, title } of [orders, receipts]) expect(stderr).toContain(`${id}  ${title}`);
  for (let at = 0; at < 5; at++) await heron.client.call("work-item.create", { title: `item ${at}` });
  const many = (await sylk("claim", "wrk_0")).stderr;
  expect(many.match(/wrk_[0-9a-z]{22}/g)).toHaveLength(5);
  expect(many).toContain("and more");
});

it("takes the name of an agent, a session and a project for its id [CORE-29]", async () => {
  const named = async (...words: string[]) => JSON.parse((await sylk(...words, "--json")).stdout) as never;
  expect(await named("agent", "show", "heron")).toMatchObject({ agent: { id: heron.agent.id } });
  const { session } = await heron.client.call("session.create", { name: "discounts" });
  expect(await named("session", "show", "discounts")).toMatchObject({ session: { id: session.id } });
  expect(await named("session", "note", "why", "sale", "--session", "disc")).toMatchObject({
    session: { id: session.id },
  });
  const forgotten = await named("project", "forget", heron.agent.project.name, "--dry-run");
  // It was found: its agents are the reason why it stays.
  expect(forgotten).toMatchObject({ error: { code: "project.in-use", details: { agents: [{ name: "heron" }, {}] } } });
});

it("says what a word could have meant when nothing has it, and when it names another kind of thing [CORE-29]", async () => {
  const none = await sylk("claim", "zzzz9999");
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('<id> "zzzz9999": no work item here has an id with this part');
  expect(none.stderr).toContain('"sylk work list" lists them');
  const other = await sylk("claim", heron.agent.id);
  expect(other.code).toBe(2);
  expect(other.stderr).toContain(`${heron.agent.id}" names an agent`);
});

it("finds what a word stands for over all kinds [CORE-29]", async () => {
  const { stdout } = await sylk("id", orders.id.slice(-6));
  expect(stdout).toContain("Rate-limit orders");
  expect((await sylk("id", "zzzz9999")).stdout).toContain("Nothing has an id with this part");
});

it("says that there is none to take for the newest [CORE-29]", async () => {
  const merge = await sylk("merge");
  expect(merge.code).toBe(2);
  expect(merge.stderr).toContain('this project has no run that can be merged; "sylk runs" lists the runs');
});
