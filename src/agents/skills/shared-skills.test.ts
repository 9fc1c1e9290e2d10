import { expect, it } from "vitest";
import { sharedCallables } from "./shared-skills.ts";
import { session, signal, switchboard } from "./testkit.ts";

const home = session("home");
const invalid = (path: string) => ({
  code: "input.invalid",
  details: { problems: [expect.objectContaining({ path })] },
});

it("route_to reaches the other agent by the bus of its session and brings its answer, and needs target and message [COMMON-1]", async () => {
  const board = switchboard();
  const engineer = board.seat(home, "engineer");
  board.seat(home, "librarian", { answer: "src/cart.ts" });
  board.seat(session("other"), "tester");
  const context = { file: "a.ts" };
  const wanted = { target: "librarian", message: "where is the cart?", context };
  expect(await engineer.call("route_to", wanted, { signal })).toEqual({
    correlationId: "msg_1",
    answer: "src/cart.ts",
  });
  expect(board.sent).toEqual([
    { session: home, from: "engineer", to: "librarian", message: 'where is the cart?\n\ncontext: {"file":"a.ts"}' },
  ]);
  await expect(engineer.call("route_to", { target: "librarian" }, { signal })).rejects.toMatchObject(
    invalid("message"),
  );
  await expect(engineer.call("route_to", { ...wanted, target: "tester" }, { signal })).rejects.toThrow(/0 answer/);
});

it("route_from keeps a message open under its correlation id until it is answered, and needs all three [COMMON-2]", async () => {
  const desk = switchboard().seat(home, "architect");
  const given = { source: "engineer", message: "which way?", correlation_id: "msg_7" };
  expect(await desk.call("route_from", given, { signal })).toEqual({ open: 1 });
  expect(await desk.call("route_from", { ...given, correlation_id: "msg_8" }, { signal })).toEqual({ open: 2 });
  const { correlation_id: _, ...without } = given;
  await expect(desk.call("route_from", without, { signal })).rejects.toMatchObject(invalid("correlation_id"));
  for (let number = 0; number < 999; number++)
    await desk.call("route_from", { ...given, correlation_id: `msg_more_${number}` }, { signal });
  const reply = (id: string) => desk.call("reply_to", { correlation_id: id, response: "left" }, { signal });
  await expect(reply("msg_7"), "the oldest of more than a thousand").rejects.toThrow(/no message with "msg_7" waits/);
  expect(await reply("msg_8"), "complete unless it is said otherwise").toEqual({ replied: "engineer", complete: true });
});

it("reply_to answers nothing that another session was asked [COMMON-3]", async () => {
  const replies: unknown[] = [];
  const port = {
    route: async () => ({ correlationId: "msg_1" }),
    reply: async (reply: object) => void replies.push(reply),
  };
  const run = (name: string, input: object, at: string) =>
    callables
      .find(({ skill }) => skill.name === name)!
      .run(input, { session: session(at), agent: "architect", signal });
  const callables = sharedCallables(port);
  await run("route_from", { source: "engineer", message: "which way?", correlation_id: "msg_7" }, "home");
  const answer = { correlation_id: "msg_7", response: "left" };
  await expect(run("reply_to", answer, "other")).rejects.toMatchObject(invalid("correlation_id"));
  expect(replies).toEqual([]);
  await run("reply_to", answer, "home");
  expect(replies).toMatchObject([{ session: home, to: "engineer", response: "left" }]);
});

it("reply_to answers the asker, in parts until it is complete, and refuses an answer without a question [COMMON-3]", async () => {
  const board = switchboard();
  const desk = board.seat(home, "architect");
  await desk.call("route_from", { source: "engineer", message: "which way?", correlation_id: "msg_7" }, { signal });
  const part = { correlation_id: "msg_7", response: "left", complete: false };
  expect(await desk.call("reply_to", part, { signal })).toEqual({ replied: "engineer", complete: false });
  await desk.call("reply_to", { ...part, response: "then right", complete: true }, { signal });
  expect(board.replies.map(({ to, response, complete }) => [to, response, complete])).toEqual([
    ["engineer", "left", false],
    ["engineer", "then right", true],
  ]);
  await expect(desk.call("reply_to", part, { signal })).rejects.toThrow(
    /no message with "msg_7" waits.*nothing is open/,
  );
});

it("broadcast tells each agent once and says of each whether it arrived, and needs at least one [COMMON-4]", async () => {
  const board = switchboard();
  const desk = board.seat(home, "orchestrator");
  board.seat(home, "inspector");
  board.seat(home, "tester");
  const targets = ["inspector", "tester", "inspector", "academic"];
  expect(await desk.call("broadcast", { targets, message: "validation complete" }, { signal })).toEqual({
    told: [
      { to: "inspector", arrived: true, correlationId: "msg_1" },
      { to: "tester", arrived: true, correlationId: "msg_2" },
      { to: "academic", arrived: false, why: expect.stringContaining("there must be one") as string },
    ],
  });
  await expect(desk.call("broadcast", { targets: [], message: "x" }, { signal })).rejects.toMatchObject(
    invalid("targets"),
  );
});

it("names the near one for a skill that is not there", async () => {
  const desk = switchboard().seat(home, "tester");
  await expect(desk.call("route-to", {}, { signal })).rejects.toThrow(
    'there is no skill "route-to"; did you mean route_to?; there are route_to, route_from, reply_to, broadcast',
  );
});
