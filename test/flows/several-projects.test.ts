/** Several repositories of one home: lists over all of them, mail and work items from one to another. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectMcp } from "./connect-mcp.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";

let daemon: ScratchDaemon;
let nest: string;
let heron: ScratchAgent;
let crow: ScratchAgent;
let outside: string;
beforeAll(async () => {
  daemon = await openScratchDaemon();
  nest = daemon.addRepository("nest");
  [heron, crow] = [await daemon.register("heron"), await daemon.register("crow", { project: nest })];
  outside = join(daemon.root, "outside");
  mkdirSync(outside);
});
afterAll(() => daemon[Symbol.asyncDispose]());

async function typed(words: readonly string[], { cwd, token }: { cwd?: string; token?: string } = {}) {
  const run = await daemon.sylk(words, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(token === undefined ? {} : { env: { SYLK_TOKEN: token } }),
  });
  expect(run.code, run.stderr).toBe(0);
  return run.stdout;
}

it("shows the agents of one project in it, and of all with --all or outside any repository [CORE-33]", async () => {
  const here = await typed(["who"]);
  expect(here).toMatch(/^agent/);
  expect(here).not.toContain("crow");
  for (const all of [await typed(["who", "--all"]), await typed(["who"], { cwd: outside })]) {
    expect(all).toMatch(/^project +agent/);
    expect(all).toMatch(/^nest +crow/m);
    expect(all).toMatch(/^\S+ +heron/m);
  }
  expect(await typed(["who", "--project", "nest"])).not.toContain("heron");
  expect(await typed(["project", "list"]), "a look makes no project").not.toContain("outside");
});

it("adds a work item to another project over the command line, HTTP and MCP, and lists the ready ones of all [CORE-33]", async () => {
  await typed(["work", "add", "Typed", "--project", "nest"], { token: heron.token });
  await heron.client.call("work-item.create", { title: "Called", project: nest });
  const client = await connectMcp(daemon.url, heron.token);
  await client.callTool({ name: "work_item_create", arguments: { title: "By tool", project: crow.agent.project.id } });
  await client.close();
  await heron.client.call("work-item.create", { title: "At home" });
  const { items } = await crow.client.call("work-item.ready", {});
  expect(items.map(({ title }) => title)).toEqual(["Typed", "Called", "By tool"]);
  expect(items[0], "no project column in one project").not.toHaveProperty("project");
  for (const words of [["ready", "--all"], ["ready"]]) {
    const all = await typed(words, words.length === 1 ? { cwd: outside } : {});
    expect(all).toMatch(/^project +id/);
    expect(all).toMatch(/^nest .*By tool$/m);
    expect(all).toMatch(/At home/);
  }
  await expect(heron.client.call("work-item.get", { id: items[0]!.id })).rejects.toMatchObject({
    code: "caller.denied",
  });
});

it("sends mail to agent@project, and the person reads their mail of all projects at once [CORE-33]", async () => {
  await typed(["mail", "send", "May I?", "--to", "crow@nest"], { token: heron.token });
  const { items } = await crow.client.call("mail.inbox", {});
  expect(items).toMatchObject([
    { subject: "May I?", from: { name: "heron" }, to: [{ name: "crow", project: "nest" }] },
  ]);
  await crow.client.call("mail.send", { replyTo: items[0]!.id, subject: "You may" });
  expect(await typed(["mail", "inbox"], { token: heron.token })).toContain("crow@nest to heron@");

  // The person has an agent where they did something.
  const person = jsonOf(await daemon.sylk(["mail", "policy", "--json"], { cwd: nest }));
  expect(person).toMatchObject({ policy: "open" });
  await daemon.sylk(["mail", "policy"]);
  await heron.client.call("mail.send", { everyone: true, subject: "Shop news" });
  await crow.client.call("mail.send", { everyone: true, subject: "Nest news" });
  for (const all of [await typed(["mail", "inbox", "--all"]), await typed(["mail", "inbox"], { cwd: outside })]) {
    expect(all).toMatch(/^nest$/m);
    expect(all).toMatch(/Shop news[^]*Nest news/);
    expect(all).toContain("sylk mail inbox --project nest --up-to requests.");
  }
  expect(await typed(["mail", "search", "news", "--all"])).toMatch(/Nest news[^]*Shop news/);
  expect(await typed(["mail", "search", "news"])).not.toContain("Nest news");
});

it("keeps an agent's token in its project: lists of all, and mail between others, are refused [CORE-33]", async () => {
  await crow.client.call("mail.send", { everyone: true, subject: "Only for the nest" });
  for (const operation of ["agent.list", "work-item.ready", "work-item.list", "mail.search", "mail.overdue"] as const)
    await expect(heron.client.call(operation, { all: true })).rejects.toMatchObject({ code: "caller.denied" });
  await expect(heron.client.call("mail.everywhere", {})).rejects.toMatchObject({ code: "caller.denied" });
  expect((await heron.client.call("mail.search", { query: "nest" })).items).toEqual([]);
  const unknown = await daemon.sylk(["who", "--project", "nes"]);
  expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining("did you mean nest?")]);
});

it("forgets a project with what its agents wrote elsewhere", async () => {
  const attic = daemon.addRepository("attic");
  const moth = await daemon.register("moth", { project: attic });
  await moth.client.call("mail.send", { everyone: true, project: "nest", subject: "From the attic" });
  await moth.client.call("mail.send", { to: ["crow@nest"], subject: "Direct from the attic" });
  await crow.client.call("mail.send", { to: ["moth@attic"], subject: "To the attic" });
  await daemon.user.call("agent.end", { id: moth.agent.id });
  await daemon.user.call("project.forget", { target: attic });
  const { items } = await crow.client.call("mail.search", { query: "attic" });
  expect(items.map(({ subject }) => subject)).toEqual(["To the attic"]);
});
