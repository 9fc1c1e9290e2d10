import { expect, it } from "vitest";
import { operations, parseInput, type RawInputOf } from "../../contract/index.ts";
import { minuteMs, repository, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { ackMail, getMail, overdueAcks, pendingFor, readInbox, removeOldMail, searchMail, sendMail } from "./index.ts";

const dayMs = 86_400_000;
const limits = { retentionDays: 30, importantRetentionDays: 90 };
const send = async (call: AgentCall, wanted: RawInputOf<"mail.send">, ports: ScratchPorts) =>
  (await sendMail(parseInput(operations["mail.send"], wanted), call, ports)).message;
const search = async (call: Pick<AgentCall, "caller">, wanted: RawInputOf<"mail.search">, ports: ScratchPorts) =>
  (await searchMail(parseInput(operations["mail.search"], wanted), call.caller, ports)).items.map((one) => one.subject);
const ofCaller = (call: AgentCall) => [call.caller.agent.id, call.caller.project.id] as const;

it("lists acknowledgements that are overdue to both sides, until they are given [MAIL-1]", async () => {
  using ports = scratchPorts();
  const [heron, otter, lynx] = [await ports.caller("heron"), await ports.caller("otter"), await ports.caller("lynx")];
  const asked = { to: ["otter", "lynx"], subject: "Stop, please", ackRequired: true, ackWithinMs: 5 * minuteMs };
  const { id } = await send(heron, asked, ports);
  const overdue = async ({ caller }: AgentCall) =>
    (await overdueAcks({ limit: 10 }, caller, ports)).items.map(({ waitingFor }) => waitingFor.name);
  expect(await overdue(heron)).toEqual([]);
  await ackMail(id, lynx, ports);
  ports.clock.advance(5 * minuteMs);
  expect([await overdue(heron), await overdue(otter), await overdue(lynx)]).toEqual([["otter"], ["otter"], []]);
  const first = await ackMail(id, otter, ports);
  ports.clock.advance(minuteMs);
  expect(await ackMail(id, otter, ports)).toEqual(first);
  expect(await overdue(heron)).toEqual([]);
  await expect(ackMail(id, heron, ports)).rejects.toMatchObject({ code: "caller.denied" });
  const { acks } = await getMail({ id, from: 0, maxBytes: 8192 }, heron.caller, ports);
  expect(acks.map(({ agent, ackedAt }) => [agent.name, typeof ackedAt])).toEqual([
    ["lynx", "number"],
    ["otter", "number"],
  ]);
});

it("finds words and phrases in what the caller may read, newest first, and takes no syntax from the query [MAIL-4]", async () => {
  using ports = scratchPorts();
  const [heron, otter, lynx] = [await ports.caller("heron"), await ports.caller("otter"), await ports.caller("lynx")];
  const crow = await ports.caller("crow", repository(ports.folder, "nest"));
  await send(heron, { to: ["otter"], subject: "secret rate", body: "limit orders" }, ports);
  await send(heron, { everyone: true, subject: "public", body: "the rate limit of orders" }, ports);
  await send(crow, { everyone: true, subject: "abroad", body: "rate limit" }, ports);
  expect(await search(otter, { query: "RATE limit" }, ports)).toEqual(["public", "secret rate"]);
  expect(await search(otter, { query: '"rate limit"' }, ports)).toEqual(["public"]);
  expect(await search(lynx, { query: "rate" }, ports)).toEqual(["public"]);
  expect(await search(lynx, {}, ports)).toEqual(["public"]);
  const { id: thread } = await send(heron, { topic: "api/rate", subject: "on a topic" }, ports);
  await send(heron, { topic: "api", subject: "on another" }, ports);
  await send(lynx, { replyTo: thread, subject: "an answer" }, ports);
  expect(await search(lynx, { topic: "api/rate" }, ports)).toEqual(["an answer", "on a topic"]);
  expect(await search(lynx, { thread, query: "answer" }, ports)).toEqual(["an answer"]);
  expect(await search(crow, { thread }, ports)).toEqual([]);
  const user = { kind: "user", project: heron.caller.project } as const;
  expect(await search({ caller: user } as never, { query: "rate" }, ports)).toEqual(["public", "secret rate"]);
  for (const query of [
    '" OR rate',
    "rate NOT limit",
    "readers : everyone",
    "rate*",
    "NEAR(rate limit)",
    "subject:rate",
  ])
    await expect(search(lynx, { query }, ports)).resolves.toBeInstanceOf(Array);
  expect(await search(lynx, { query: otter.caller.agent.id.slice(4) }, ports)).toEqual([]);
  await expect(search(lynx, { query: "!?" }, ports)).rejects.toMatchObject({ code: "input.invalid" });
});

it("pages through a search and through a long body without gap or repetition [MAIL-2, MAIL-4]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const body = Array.from({ length: 3_000 }, (_, index) => `wörd${index}`).join(" ");
  const { id } = await send(heron, { to: ["otter"], subject: "long", body }, ports);
  let [read, from]: [string, number | undefined] = ["", 0];
  while (from !== undefined) {
    const part = await getMail({ id, from, maxBytes: 1_000 }, otter.caller, ports);
    read += part.message.body;
    from = part.nextFrom;
  }
  expect(read).toBe(body);
  for (let count = 0; count < 5; count++) await send(heron, { to: ["otter"], subject: `short ${count}` }, ports);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const wanted = { query: "short", limit: 2, ...(cursor === undefined ? {} : { cursor }) };
    const page = await searchMail(parseInput(operations["mail.search"], wanted), otter.caller, ports);
    seen.push(...page.items.map(({ subject }) => subject));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual([4, 3, 2, 1, 0].map((count) => `short ${count}`));
});

it("removes old mail and its words, but important mail that waits for a reader only at its own limit", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await send(heron, { to: ["otter"], subject: "plain" }, ports);
  await send(heron, { to: ["otter"], subject: "urgent", importance: "urgent" }, ports);
  const { id } = await send(heron, { to: ["otter"], subject: "asked", ackRequired: true }, ports);
  const left = async () => (await search(otter, {}, ports)).toSorted();
  ports.clock.advance(30 * dayMs);
  expect([await removeOldMail(limits, ports), await left()]).toEqual([0, ["asked", "plain", "urgent"]]);
  ports.clock.advance(1);
  expect([await removeOldMail(limits, ports), await left()]).toEqual([1, ["asked", "urgent"]]);
  expect(await search(otter, { query: "plain" }, ports)).toEqual([]);
  const { cursor } = await readInbox(parseInput(operations["mail.inbox"], {}), otter, ports);
  await readInbox(parseInput(operations["mail.inbox"], { upTo: cursor }), otter, ports);
  expect([await removeOldMail(limits, ports), await left()]).toEqual([1, ["asked"]]);
  await ackMail(id, otter, ports);
  expect([await removeOldMail(limits, ports), await left()]).toEqual([1, []]);
  await send(heron, { to: ["otter"], subject: "never acked", ackRequired: true }, ports);
  ports.clock.advance(90 * dayMs + 1);
  expect(await removeOldMail(limits, ports)).toBe(1);
});

it("counts what waits for an agent, for a hook to ask at every call", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const pending = () => pendingFor(...ofCaller(otter), ports);
  expect(await pending()).toEqual({ mail: 0, notices: 0, blockingFindings: 0 });
  const content = { kind: "finding", finding: ports.ids.next("fnd") } as const;
  await send(heron, { to: ["otter"], subject: "a" }, ports);
  await send(heron, { to: ["otter"], subject: "b", content, importance: "urgent" }, ports);
  await send(
    heron,
    { everyone: true, subject: "c", content: { kind: "commit-notice", commit: "4f2a91c", paths: ["a"] } },
    ports,
  );
  expect(await pending()).toEqual({ mail: 1, notices: 2, blockingFindings: 1 });
});
