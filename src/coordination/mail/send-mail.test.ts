import { describe, expect, it } from "vitest";
import { operations, parseInput, type DomainError, type RawInputOf } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { minuteMs, repository, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { getMail, readInbox, searchMail, sendMail, setContactPolicy, subscribeToTopic } from "./index.ts";

const send = async (call: AgentCall, wanted: RawInputOf<"mail.send">, ports: ScratchPorts) =>
  (await sendMail(parseInput(operations["mail.send"], wanted), call, ports)).message;
const inbox = (call: AgentCall, ports: ScratchPorts, wanted: RawInputOf<"mail.inbox"> = {}) =>
  readInbox(parseInput(operations["mail.inbox"], wanted), call, ports);
const subjects = async (call: AgentCall, ports: ScratchPorts, wanted: RawInputOf<"mail.inbox"> = {}) =>
  (await inbox(call, ports, wanted)).items.map(({ subject }) => subject);
const hello = (to: string, subject = "Hello") => ({ to: [to], subject });

it("delivers to named agents, to a topic's subscribers and to everyone, and to no other agent [MAIL-1]", async () => {
  using ports = scratchPorts();
  const [heron, otter, lynx] = [await ports.caller("heron"), await ports.caller("otter"), await ports.caller("lynx")];
  const abroad = await ports.caller("crow", repository(ports.folder, "nest"));
  await subscribeToTopic({ topic: "api/orders", off: false }, otter);
  await send(heron, { to: ["otter"], subject: "for otter" }, ports);
  await send(heron, { topic: "api/orders", subject: "for subscribers" }, ports);
  await send(heron, { everyone: true, subject: "for all" }, ports);
  expect(await subjects(otter, ports)).toEqual(["for otter", "for subscribers", "for all"]);
  expect(await subjects(lynx, ports)).toEqual(["for all"]);
  expect(await subjects(heron, ports)).toEqual([]);
  expect(await subjects(abroad, ports)).toEqual([]);
});

it("gives the same again until it is told what was read, and then what follows [MAIL-1]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  for (const subject of ["one", "two", "three"]) await send(heron, hello("otter", subject), ports);
  const first = await inbox(otter, ports, { limit: 2 });
  expect(first).toMatchObject({ items: [{ subject: "one" }, { subject: "two" }], more: true });
  expect(await inbox(otter, ports, { limit: 2 })).toEqual(first); // the answer was lost: asked again
  const second = await inbox(otter, ports, { upTo: first.cursor });
  expect(second).toMatchObject({ items: [{ subject: "three" }], more: false });
  expect(await inbox(otter, ports, { upTo: first.cursor })).toEqual(second); // told again: nothing goes back or is skipped
  expect(await inbox(otter, ports, { upTo: second.cursor })).toEqual({ items: [], more: false });
});

it("refuses a cursor of the other channel or from the future, and loses nothing by it [MAIL-1]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await send(heron, hello("otter"), ports);
  for (const upTo of ["notices.1", "requests.2", "requests.999999999999999"])
    await expect(inbox(otter, ports, { upTo })).rejects.toMatchObject({ code: "input.invalid" });
  expect(await subjects(otter, ports)).toEqual(["Hello"]);
});

it("keeps mail for those who are away, and gives everyone's mail from their registration on [MAIL-1]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await endAgent(otter.caller.agent.id, otter, ports);
  await send(heron, { everyone: true, subject: "before lynx" }, ports);
  await send(heron, hello("otter"), ports);
  const lynx = await ports.caller("lynx");
  await send(heron, { everyone: true, subject: "after lynx" }, ports);
  expect(await subjects(lynx, ports)).toEqual(["after lynx"]);
  expect(await subjects(await ports.caller("otter"), ports)).toEqual(["before lynx", "Hello", "after lynx"]);
});

it("delivers what a topic had while one was subscribed, also after leaving it [MAIL-1]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const say = (subject: string) => send(heron, { topic: "api", subject }, ports);
  await say("too early");
  await subscribeToTopic({ topic: "api", off: false }, otter);
  await say("in time");
  await subscribeToTopic({ topic: "api", off: true }, otter);
  await say("left");
  await subscribeToTopic({ topic: "api", off: false }, otter);
  await say("back");
  expect(await subjects(otter, ports)).toEqual(["in time", "back"]);
});

it("refuses an unknown receiver with the nearest name, an unknown project, and an ended sender [MAIL-1]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await expect(send(heron, hello("oter"), ports)).rejects.toMatchObject({
    code: "agent.not-found",
    message: expect.stringContaining("did you mean otter?"),
  });
  await expect(send(heron, hello("otter@nest"), ports)).rejects.toMatchObject({ code: "project.not-found" });
  await endAgent(heron.caller.agent.id, heron, ports);
  await expect(send(heron, hello("otter"), ports)).rejects.toMatchObject({ code: "agent.ended" });
  expect(await subjects(otter, ports)).toEqual([]);
});

it("answers into the thread, to where the message came from [MAIL-1]", async () => {
  using ports = scratchPorts();
  const [heron, otter, lynx] = [await ports.caller("heron"), await ports.caller("otter"), await ports.caller("lynx")];
  const question = await send(heron, hello("otter", "May I?"), ports);
  const answer = await send(otter, { replyTo: question.id, subject: "Yes" }, ports);
  expect(answer).toMatchObject({ thread: question.id, replyTo: question.id, to: [{ name: "heron" }] });
  const again = await send(heron, { replyTo: answer.id, subject: "Thanks" }, ports);
  expect(again).toMatchObject({ thread: question.id, replyTo: answer.id, to: [{ name: "otter" }] });
  await expect(send(lynx, { replyTo: question.id, subject: "Me too" }, ports)).rejects.toMatchObject({
    code: "caller.denied",
  });
});

it("keeps notices apart from requests, each with its own cursor, and lets one kind be looked at [MAIL-2, MAIL-6]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const notice = { kind: "commit-notice" as const, commit: "4f2a91c", paths: ["src/orders.ts"] };
  await send(heron, { ...hello("otter", "committed"), content: notice }, ports);
  await send(heron, hello("otter", "a question"), ports);
  const finding = { kind: "finding", finding: ports.ids.next("fnd") } as const;
  await send(heron, { ...hello("otter", "look"), content: finding }, ports);
  expect(await subjects(otter, ports)).toEqual(["a question"]);
  expect(await inbox(otter, ports, { channel: "notices" })).toMatchObject({
    items: [
      { subject: "committed", content: notice },
      { subject: "look", content: finding },
    ],
  });
  const looked = await inbox(otter, ports, { channel: "notices", kind: "finding" });
  expect(looked.items.map(({ subject }) => subject)).toEqual(["look"]);
  expect(looked.cursor).toBeUndefined(); // what lies between would be lost
});

it.each([
  ["an unknown kind", { kind: "gossip" }],
  ["a commit notice without paths", { kind: "commit-notice", commit: "4f2a91c" }],
  ["a commit that is none", { kind: "commit-notice", commit: "HEAD; rm -rf", paths: ["a"] }],
  ["a field of another kind", { kind: "text", commit: "4f2a91c" }],
  ["a defer without a time", { kind: "release-defer", reservation: "rsv_01jd8q3m7k4x9t2v5b8n1c" }],
])("refuses %s [MAIL-6]", (_what, content) => {
  expect(() => parseInput(operations["mail.send"], { ...hello("otter"), content })).toThrow(
    expect.objectContaining({ code: "input.invalid" }),
  );
});

it("caps an answer and cuts only what is alone too long [MAIL-2]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await send(heron, { ...hello("otter", "1"), body: "a".repeat(5_000) }, ports);
  await send(heron, { ...hello("otter", "2"), body: "b".repeat(5_000) }, ports);
  await send(heron, { ...hello("otter", "3"), body: "ü".repeat(10_000) }, ports);
  const first = await inbox(otter, ports);
  expect([first.items.map(({ subject }) => subject), first.more]).toEqual([["1"], true]);
  const second = await inbox(otter, ports, { upTo: first.cursor });
  const third = await inbox(otter, ports, { upTo: second.cursor });
  expect(third.items).toMatchObject([{ subject: "3", truncated: true }]);
  expect(Buffer.byteLength(third.items[0]!.body)).toBeLessThanOrEqual(8_192);
  expect(third.items[0]!.body).toMatch(/^ü+$/);
});

it("limits one sender to one receiver and in all, on the monotonic clock, and says for how long [MAIL-3]", async () => {
  using ports = scratchPorts({ maxPerPairPerMinute: 2, maxPerMinute: 3 });
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await ports.caller("lynx");
  await send(heron, hello("otter"), ports);
  ports.clock.advance(20_000);
  await send(heron, hello("otter"), ports);
  await expect(send(heron, hello("otter"), ports)).rejects.toMatchObject({ code: "mail.limit", retryAfterMs: 40_000 });
  await send(heron, hello("lynx"), ports);
  await expect(send(heron, hello("lynx"), ports)).rejects.toMatchObject({ code: "mail.limit", details: { limit: 3 } });
  await send(otter, hello("heron"), ports); // its own limit
  ports.clock.jumpWall(10 * minuteMs);
  await expect(send(heron, hello("otter"), ports)).rejects.toMatchObject({ code: "mail.limit" });
  ports.clock.advance(40_000);
  await send(heron, hello("otter"), ports);
  expect((await subjects(otter, ports)).length).toBe(3);
});

it("lets each agent say who may write to it: open, auto, contacts, none [MAIL-3]", async () => {
  using ports = scratchPorts();
  const [heron, otter, lynx] = [await ports.caller("heron"), await ports.caller("otter"), await ports.caller("lynx")];
  const tryTo = (call: AgentCall) =>
    send(call, hello("otter"), ports).then(
      () => "sent",
      (error: unknown) => (error as DomainError).code,
    );
  const both = async () => [await tryTo(heron), await tryTo(lynx)];
  expect(await both()).toEqual(["sent", "sent"]);
  await setContactPolicy({ policy: "auto" }, otter);
  expect(await both()).toEqual(["caller.denied", "caller.denied"]);
  await send(otter, hello("heron"), ports); // whom otter writes to may answer
  expect(await both()).toEqual(["sent", "caller.denied"]);
  await setContactPolicy({ policy: "contacts", add: ["lynx"] }, otter);
  expect(await both()).toEqual(["caller.denied", "sent"]);
  await setContactPolicy({ policy: "none" }, otter);
  expect(await both()).toEqual(["caller.denied", "caller.denied"]);
  const reservation = ports.ids.next("rsv");
  const content = { kind: "release-request", reservation } as const;
  await send(heron, { ...hello("otter", "please release"), content }, ports); // about what otter holds: always
  expect((await subjects(otter, ports)).at(-1)).toBe("please release");
});

it("stores no control character, escape sequence or override of direction [MAIL-5]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const evil = "a\u001b[31mred\u001b[0m\u0000\u0007\u009b2Jb\u202edc\u2066\r\nnext\ttab\u001b]0;title\u0007!";
  await send(heron, { to: ["otter"], subject: `x${evil}`, body: evil }, ports);
  const [message] = (await inbox(otter, ports)).items;
  expect(message!.body).toBe("aredbdc\nnext\ttab!");
  expect(message!.subject).toBe("xaredbdc next tab!");
  await expect(send(heron, { to: ["otter"], subject: "\u202e\u0007" }, ports)).rejects.toMatchObject({
    code: "input.invalid",
  });
});

describe("another project", () => {
  it("is reached by agent@project, by id and by the project of the message; the answer finds its way back", async () => {
    using ports = scratchPorts();
    const heron = await ports.caller("heron");
    const crow = await ports.caller("crow", repository(ports.folder, "nest"));
    const question = await send(heron, hello("crow@nest", "May I?"), ports);
    expect(question).toMatchObject({ from: { project: "shop" }, to: [{ name: "crow", project: "nest" }] });
    await send(heron, hello(crow.caller.agent.id, "By id"), ports);
    await send(heron, { ...hello("crow", "By project"), project: "nest" }, ports);
    await send(heron, { everyone: true, project: "nest", subject: "To all of you" }, ports);
    expect(await subjects(crow, ports)).toEqual(["May I?", "By id", "By project", "To all of you"]);
    await send(crow, { replyTo: question.id, subject: "Yes" }, ports);
    expect(await subjects(heron, ports)).toEqual(["Yes"]);
  });

  it("shows an agent what is addressed to it, and nothing else of the other project's mail", async () => {
    using ports = scratchPorts();
    const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
    const crow = await ports.caller("crow", repository(ports.folder, "nest"));
    const inside = await send(heron, hello("otter", "Between us"), ports);
    const toAll = await send(heron, { everyone: true, subject: "For the shop" }, ports);
    const abroad = await send(heron, hello("crow@nest", "For you"), ports);
    const found = await searchMail({ limit: 10, maxBytes: 8192 }, crow.caller, ports);
    expect(found.items.map(({ subject }) => subject)).toEqual(["For you"]);
    for (const { id } of [inside, toAll])
      await expect(getMail({ id, from: 0, maxBytes: 8192 }, crow.caller, ports)).rejects.toMatchObject({
        code: "caller.denied",
      });
    await expect(getMail({ id: abroad.id, from: 0, maxBytes: 8192 }, otter.caller, ports)).rejects.toMatchObject({
      code: "caller.denied",
    });
  });
});
