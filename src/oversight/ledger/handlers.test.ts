import { expect, it } from "vitest";
import { sharedWhileRunning } from "./handlers.ts";

it("reads the sources once for questions that come while they are read, and again for the next one", async () => {
  let readings = 0;
  let finish = () => {};
  const read = sharedWhileRunning(async () => {
    readings++;
    await new Promise<void>((resolve) => (finish = resolve));
    return readings;
  });
  const both = Promise.all([read(), read()]);
  finish();
  expect(await both).toEqual([1, 1]);
  const third = read();
  finish();
  expect(await third).toBe(2);
});

it("reads again after a reading that failed", async () => {
  let fails = true;
  const read = sharedWhileRunning(async () => {
    if (fails) throw new Error("unreadable");
    return "read";
  });
  await expect(read()).rejects.toThrow("unreadable");
  fails = false;
  expect(await read()).toBe("read");
});
