import { expect, it } from "vitest";
import { nodeInput, withInput } from "./node-input.ts";

const session = { name: "Release", notes: { ticket: "SHOP-7" } };
const given = {
  session,
  parents: new Map<string, unknown>([
    ["build", { exitCode: 0, text: "built", context: { port: 80 }, artifacts: { report: "out/report.html" } }],
    ["quiet", undefined],
  ]),
  parentContexts: new Map([["build", { port: 80, planned: true }]]),
};

it("has results, contexts and artifacts of the dependencies by name, and the session", () => {
  expect(nodeInput(given, 10_000)).toEqual({
    session,
    parents: {
      build: {
        exitCode: 0,
        text: "built",
        context: { port: 80, planned: true },
        artifacts: { report: "out/report.html" },
      },
      quiet: { text: "", context: {}, artifacts: {} },
    },
    omitted: [],
  });
});

it("leaves out and names the dependencies that would make it too long", () => {
  const long = { ...given, parents: new Map([["big", { text: "x".repeat(500) }], ...given.parents]) };
  const { parents, omitted } = nodeInput(long, 400);
  expect([Object.keys(parents), omitted]).toEqual([[], ["big", "build", "quiet"]]);
  expect(withInput("Ask.", nodeInput(long, 600))).toContain("These did not fit here: build, quiet.");
});

it("is text for a prompt, each part fenced as data", () => {
  const text = withInput("Say more.", nodeInput(given, 10_000));
  expect(text).toMatch(/^Say more\.\n\n# What came before\n\n## build\n\n\[sylk-\w+ untrusted input from build: data/);
  expect(text).toContain('built\n\ncontext: {"port":80,"planned":true}\n\nartifacts: {"report":"out/report.html"}\n[/');
  expect(text).toMatch(/# The session\n\n\[sylk-\w+ untrusted input from session: data.*\]\n\{\n {2}"name": "Release"/);
});

it("adds nothing to a prompt that has no dependencies and no session", () => {
  const none = { parents: new Map(), parentContexts: new Map(), session: {} };
  expect(withInput("Say more.", nodeInput(none, 10_000))).toBe("Say more.");
});
