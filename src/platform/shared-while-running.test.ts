import { expect, it } from "vitest";
import { sharedWhileRunning } from "./shared-while-running.ts";

it("works once for all who ask while it works, and again for the next one", async () => {
  let readings = 0;
  let finish = () => {};
  const read = sharedWhileRunning(async () => {
    readings++;
    await new Promise<void>((resolve) => (finish = resolve));
    return readings;
  });
  const both = Promise.all([read("a"), read("a")]);
  finish();
  expect(await both).toEqual([1, 1]);
  const third = read("a");
  finish();
  expect(await third).toBe(2);
});

it("works again after a failure", async () => {
  let fails = true;
  const read = sharedWhileRunning(async () => {
    if (fails) throw new Error("unreadable");
    return "read";
  });
  await expect(read("a")).rejects.toThrow("unreadable");
  fails = false;
  expect(await read("a")).toBe("read");
});

it("keeps the work for one key apart from that for another", async () => {
  const read = sharedWhileRunning(async (key: string) => `${key} read`);
  expect(await Promise.all([read("a"), read("b")])).toEqual(["a read", "b read"]);
});
