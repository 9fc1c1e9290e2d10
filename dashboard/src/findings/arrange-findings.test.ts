import fc from "fast-check";
import { expect, it } from "vitest";
import type { PublishedFinding } from "../daemon/contract.ts";
import { groupFindings, matchFindings, placeText } from "./arrange-findings.ts";

type Given = { severity?: string; paths?: readonly string[]; at?: number; summary?: string };
let last = 0;
const finding = ({ severity = "important", paths = [], at = 0, summary = "broken" }: Given): PublishedFinding =>
  ({
    id: `fnd_${++last}`,
    severity,
    summary,
    category: "tests",
    by: "heron",
    reports: [{ agent: { name: "heron" } }],
    files: paths.map((path) => ({ path, line: 3 })),
    publishedAt: at,
  }) as unknown as PublishedFinding;

it("puts blocking findings first, and in each group the newest first [DASH-7]", () => {
  const [old, minor, fresh] = [
    finding({ severity: "blocking", at: 1 }),
    finding({ severity: "informational", at: 9 }),
    finding({ severity: "blocking", at: 2 }),
  ];
  expect(groupFindings([old, minor, fresh], "severity")).toEqual([
    { key: "blocking", title: "Blocking", findings: [fresh, old] },
    { key: "informational", title: "Informational", findings: [minor] },
  ]);
});

it("shows every finding under each of its files, and one without a file too", () => {
  const given = fc.array(
    fc
      .record({ paths: fc.array(fc.constantFrom("a.ts", "b.ts", "__proto__")), at: fc.nat(50) })
      .map((terms) => finding(terms)),
  );
  fc.assert(
    fc.property(given, (findings) => {
      const groups = groupFindings(findings, "file");
      for (const one of findings) {
        const paths = new Set(one.files.map(({ path }) => path));
        const under = groups.filter((group) => group.findings.includes(one)).map(({ key }) => key);
        expect(under.toSorted()).toEqual((paths.size === 0 ? [""] : [...paths]).toSorted());
      }
      for (const { findings: members } of groups) {
        const times = members.map(({ publishedAt }) => publishedAt);
        expect(times).toEqual(times.toSorted((a, b) => b - a));
      }
    }),
  );
});

it("finds by all words, in the summary, the places and the reporters", () => {
  const one = finding({ summary: "parse() drops the last order", paths: ["src/orders.ts"] });
  const other = finding({ summary: "prices are rounded" });
  expect(matchFindings([one, other], "ORDERS.TS:3 drops")).toEqual([one]);
  expect(matchFindings([one, other], "heron")).toEqual([one, other]);
  expect(matchFindings([one, other], "drops rounded")).toEqual([]);
  expect(matchFindings([one, other], "  ")).toEqual([one, other]);
});

it("writes a place as editors read it", () => {
  expect([placeText({ path: "a.ts", line: 4 }), placeText({ path: "a.ts" })]).toEqual(["a.ts:4", "a.ts"]);
});
