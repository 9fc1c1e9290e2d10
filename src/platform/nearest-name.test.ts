import { expect, it } from "vitest";
import { nearestName, suggestion } from "./nearest-name.ts";

const names = ["http.port", "http.enabled", "log.level"];

it("finds a name with a swapped, missing or wrong-case letter", () => {
  expect(nearestName("http.prot", names)).toBe("http.port");
  expect(nearestName("htp.port", names)).toBe("http.port");
  expect(nearestName("LOG.Level", names)).toBe("log.level");
});

it("stays silent rather than guess far", () => {
  expect(nearestName("colour.theme", names)).toBeUndefined();
  expect(suggestion("colour.theme", names)).toBe("");
  expect(nearestName("http.port".repeat(1000), names)).toBeUndefined();
});
