import { expect, it } from "vitest";
import type { MessageOf, RunId } from "../../contract/index.ts";
import { answerOf, echo, messageOf } from "../../orchestration/guide/testkit.ts";
import { archivalistSeat } from "./role.ts";

it("keeps what it is told to before it says so, and answers everything else from what it recalls", async () => {
  const run = "run_0000000000000000000001" as RunId;
  const kept: unknown[] = [];
  const seat = archivalistSeat({ run, keep: async (entry) => void kept.push(entry), recall: echo("archivalist") });
  const entry = { title: "Add prices", content: { status: "verified" } };
  expect(await answerOf(seat, messageOf("STORE_REQUEST", entry))).toEqual({ type: "ACK", payload: { kept: run } });
  expect(kept).toEqual([entry]);
  const asked = messageOf("USER_INPUT", { text: "what was that?" }) as MessageOf;
  expect(await seat(asked, new AbortController().signal)).toMatchObject({
    payload: { text: "archivalist: what was that?" },
  });
  expect(kept).toHaveLength(1);
});

it("says nothing was kept when it could not be", async () => {
  const keep = () => Promise.reject(new Error("no room"));
  const seat = archivalistSeat({ run: "run_1" as RunId, keep, recall: echo("archivalist") });
  await expect(answerOf(seat, messageOf("STORE_REQUEST", { title: "x", content: {} }))).rejects.toThrow("no room");
});
