import { expect, it } from "vitest";
import { memoryLog } from "./testkit.ts";

it("writes one JSON line with time, level, event and fields", () => {
  const { log, raw } = memoryLog();
  log.info("daemon.started", { port: 7373 });
  expect(raw).toEqual(['{"at":1000,"level":"info","event":"daemon.started","port":7373}']);
});

it("leaves out what is below the level and does not build its fields", () => {
  const { log, lines } = memoryLog({ level: "warn" });
  let built = 0;
  const fields = () => ({ built: ++built });
  log.debug("a", fields);
  log.info("b", fields);
  log.warn("c", fields);
  log.error("d", fields);
  expect(lines().map(({ event }) => event)).toEqual(["c", "d"]);
  expect(built).toBe(2);
});

it("adds a child's fields to each of its lines, the nearest one winning", () => {
  const { log, lines } = memoryLog();
  log.child({ project: "prj_1", agent: "a" }).child({ agent: "b" }).info("x", { n: 1 });
  expect(lines()).toEqual([{ at: 1000, level: "info", event: "x", project: "prj_1", agent: "b", n: 1 }]);
});

it("gives an error line a reference to quote", () => {
  const { log, lines } = memoryLog();
  const ref = log.error("operation.defect", { operation: "x" });
  expect(ref).toMatch(/^log_[0-9a-f]{12}$/);
  expect(lines()[0]).toMatchObject({ event: "operation.defect", ref });
});

it("writes errors with name, code, message, stack and the chain of causes", () => {
  const { log, lines } = memoryLog();
  const root = Object.assign(new Error("no space"), { code: "ENOSPC" });
  log.error("store.failed", { error: new TypeError("cannot commit", { cause: root }) });
  expect(lines()[0]?.["error"]).toMatchObject({
    name: "TypeError",
    message: "cannot commit",
    stack: expect.stringContaining("log.test.ts"),
    cause: { name: "Error", code: "ENOSPC", message: "no space" },
  });
});

it("keeps a field that is named like one of the line's own", () => {
  const { log, lines } = memoryLog();
  log.info("x", { level: "high", at: 1, event: "y" });
  expect(lines()).toEqual([{ at: 1000, level: "info", event: "x", level_: "high", at_: 1, event_: "y" }]);
});

it("writes what JSON cannot: cycles, BigInt, maps, bytes, throwing getters, endless numbers", () => {
  const { log, lines } = memoryLog();
  const self: Record<string, unknown> = {};
  self["self"] = self;
  const broken = {
    ok: 1,
    get bad() {
      throw new Error("planted");
    },
  };
  log.info("x", {
    self,
    big: 10n,
    map: new Map([["k", 1]]),
    set: new Set([1]),
    bytes: Buffer.from("abc"),
    broken,
    nan: Number.NaN,
    list: [undefined, () => 1],
    when: new Date(0),
  });
  expect(lines()[0]).toMatchObject({
    self: { self: "[cyclic]" },
    big: "10",
    map: { k: 1 },
    set: [1],
    bytes: "[3 bytes]",
    broken: { ok: 1, bad: "[unreadable]" },
    nan: "NaN",
    list: [null, "[function]"],
    when: "1970-01-01T00:00:00.000Z",
  });
});

it("says the same value twice if it stands side by side, not only once", () => {
  const { log, lines } = memoryLog();
  const shared = { n: 1 };
  log.info("x", { a: shared, b: shared });
  expect(lines()[0]).toMatchObject({ a: { n: 1 }, b: { n: 1 } });
});

it("cuts long strings at 8 KB and keeps a whole line bounded", () => {
  const { log, lines, raw } = memoryLog();
  log.info("x", { text: "é".repeat(10_000) });
  expect(lines()[0]?.["text"]).toBe(`${"é".repeat(8192)}… [1808 characters cut]`);
  log.info("y", {
    list: Array.from({ length: 50_000 }, () => "z".repeat(9_000)),
    deep: JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`),
  });
  expect(raw[1]?.length).toBeLessThan(200_000);
});

it("never throws: not for fields that cannot be built, nor for a sink that fails", () => {
  const { log, lines } = memoryLog();
  log.info("x", () => {
    throw new Error("planted");
  });
  expect(lines()[0]).toMatchObject({ event: "x", fieldsError: { message: "planted" } });
  const failing = memoryLog({
    write: () => {
      throw new Error("planted");
    },
  });
  expect(() => failing.log.error("x")).not.toThrow();
  const trap = {
    get bad(): never {
      throw new Error("planted");
    },
  };
  log.child(trap).info("z", trap);
  expect(lines()[1]).toMatchObject({ event: "z", fieldsError: { message: "planted" } });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  log.info("y", { revoked: revoked.proxy });
  expect(lines()[2]).toMatchObject({ revoked: "[unreadable]" });
});
