import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { systemClock } from "./system-clock.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] }));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("reads whole milliseconds on both clocks", () => {
  vi.useRealTimers();
  const clock = systemClock();
  expect(Number.isInteger(clock.now()) && Number.isInteger(clock.monotonic())).toBe(true);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000);
});

it("fires once, and not at all after cancel", () => {
  const fired: string[] = [];
  systemClock().after(50, () => fired.push("kept"));
  systemClock()
    .after(50, () => fired.push("cancelled"))
    .cancel();
  vi.advanceTimersByTime(49);
  expect(fired).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(fired).toEqual(["kept"]);
});

it("waits out a delay longer than the native limit of 2^31 ms", () => {
  const days60 = 60 * 86_400_000;
  let fired = 0;
  systemClock().after(days60, () => fired++);
  vi.advanceTimersByTime(days60 - 1);
  expect(fired).toBe(0);
  vi.advanceTimersByTime(1);
  expect(fired).toBe(1);
});

it("cancels in the middle of a chained delay", () => {
  let fired = 0;
  const timer = systemClock().after(2 ** 33, () => fired++);
  vi.advanceTimersByTime(2 ** 32);
  timer.cancel();
  vi.advanceTimersByTime(2 ** 33);
  expect([fired, vi.getTimerCount()]).toEqual([0, 0]);
});

it("waits on when the native timer wakes early", () => {
  const clock = systemClock();
  const slow = vi.spyOn(performance, "now").mockReturnValue(0);
  let fired = 0;
  clock.after(20, () => fired++);
  slow.mockReturnValue(19.4);
  vi.advanceTimersByTime(20);
  expect(fired).toBe(0);
  slow.mockReturnValue(20.4);
  vi.advanceTimersByTime(1);
  expect(fired).toBe(1);
});

it("ignores a jump of the wall clock", () => {
  let fired = 0;
  systemClock().after(1_000, () => fired++);
  vi.setSystemTime(Date.now() + 86_400_000);
  vi.advanceTimersByTime(999);
  expect(fired).toBe(0);
  vi.advanceTimersByTime(1);
  expect(fired).toBe(1);
});

it("keeps the process alive only when asked to", () => {
  vi.useRealTimers();
  const native = vi.spyOn(globalThis, "setTimeout");
  const idle = systemClock().after(60_000, () => {});
  const needed = systemClock().after(60_000, () => {}, { keepAlive: true });
  const alive = native.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef());
  idle.cancel();
  needed.cancel();
  expect(alive).toEqual([false, true]);
});

it("refuses a delay that is no finite number", () => {
  expect(() => systemClock().after(Number.NaN, () => {})).toThrow("finite");
  expect(() => systemClock().after(Number.POSITIVE_INFINITY, () => {})).toThrow("finite");
});
