import fc from "fast-check";
import { expect, it } from "vitest";
import { compareVersions, judgeVersions } from "./judge-versions.ts";

const build = (version: string, protocol = 1) => ({ version, protocol });

it.each([
  ["1.2.3", "1.2.3", "use"],
  ["1.2.4", "1.2.3", "replace"],
  ["2.0.0", "1.9.9", "replace"],
  ["1.10.0", "1.9.0", "replace"],
  ["1.0.0", "1.0.0-rc.2", "replace"],
  ["1.0.0-rc.10", "1.0.0-rc.9", "replace"],
  ["1.2.3", "1.2.4", "warn"],
  ["1.2.3", "2.0.0", "refuse"],
  ["0.1.0", "unreadable", "replace"],
] as const)("a command of %s that meets a daemon of %s: %s [CORE-18]", (ours, daemon, verdict) => {
  expect(judgeVersions(build(ours), build(daemon))).toBe(verdict);
});

it("refuses a newer daemon of the same major version that speaks another protocol [CORE-18]", () => {
  expect(judgeVersions(build("1.2.3", 1), build("1.3.0", 2))).toBe("refuse");
});

it("never lets two versions replace each other [CORE-18]", () => {
  const part = fc.nat(12);
  const version = fc
    .tuple(part, part, part, fc.constantFrom("", "-rc.1", "-rc.2", "-beta"))
    .map(([a, b, c, pre]) => `${a}.${b}.${c}${pre}`);
  fc.assert(
    fc.property(version, version, fc.nat(3), fc.nat(3), (a, b, p, q) => {
      const verdicts = [judgeVersions(build(a, p), build(b, q)), judgeVersions(build(b, q), build(a, p))];
      expect(verdicts.filter((verdict) => verdict === "replace").length).toBe(a === b ? 0 : 1);
      expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) + 0);
    }),
  );
});
