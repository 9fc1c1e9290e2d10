import { expect, it } from "vitest";
import { allOperations } from "../../contract/index.ts";
import { nearToolNames, searchOperations } from "./search-operations.ts";

const best = (text: string) => searchOperations(text, allOperations())[0]?.name;

it("puts the operation whose name says it first", () => {
  expect(best("register an agent")).toBe("agent.register");
  expect(best("stop the daemon")).toBe("daemon.stop");
  expect(best("read the event log")).toBe("event.list");
});

it("finds a word by its beginning", () => {
  expect(best("reserve")).toMatch(/^reservation\./);
});

it("leaves out what shares a passing word only", () => {
  const names = searchOperations("status of the daemon", allOperations()).map(({ name }) => name);
  expect(names[0]).toBe("daemon.status");
  expect(names).not.toContain("work-item.list");
});

it("finds nothing for words that are nowhere", () => {
  expect(searchOperations("zebra of", allOperations())).toEqual([]);
  expect(searchOperations("", allOperations())).toEqual([]);
});

it("offers names near a wrong one", () => {
  expect(nearToolNames("claim_work")[0]).toBe("work_item_claim");
  expect(nearToolNames("resrvation_acquire")[0]).toBe("reservation_acquire");
});
