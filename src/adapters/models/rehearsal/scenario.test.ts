import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { InvalidScenario } from "./invalid-scenario.ts";
import { largestScenarioBytes, parseScenario, readScenario } from "./scenario.ts";

const folder = mkdtempSync(join(tmpdir(), "sylk-scenario-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const yaml = `
name: two steps
description: Reads and ends
turns:
  - when: { turn: 0, tool: read, mentions: Rename it }
    reply:
      - text: I look first.
      - tool: read
        input: { path: a.ts, lines: [1, 2] }
    usage: { input: 10, output: 2 }
    fault: { status: 429, retryAfterMs: 50, times: 2 }
  - expect: { toolResult: "^ok" }
    reply: [{ tool: finish }]
`;

const parsed = {
  name: "two steps",
  description: "Reads and ends",
  turns: [
    {
      when: { turn: 0, tool: "read", mentions: ["Rename it"] },
      reply: [{ text: "I look first." }, { tool: "read", input: { path: "a.ts", lines: [1, 2] } }],
      usage: { input: 10, output: 2 },
      fault: { status: 429, retryAfterMs: 50, times: 2 },
    },
    { when: {}, expect: { toolResult: "^ok" }, reply: [{ tool: "finish", input: {} }] },
  ],
};

it("reads YAML, and JSON as well", async () => {
  const file = join(folder, "play.yaml");
  writeFileSync(file, yaml);
  expect(await readScenario(file)).toEqual(parsed);
  expect(await parseScenario(JSON.stringify(parsed, null, "\t"), "play.json")).toEqual(parsed);
});

async function problemsOf(content: string | Uint8Array): Promise<string[]> {
  const error = await parseScenario(content, "play.yaml").then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(InvalidScenario);
  return (error as InvalidScenario).problems.map(({ where, message }) => `${where} ${message}`);
}

it("tells every problem at once, each with its place", async () => {
  const problems = await problemsOf(`name: "bad\\nname"
turns:
  - when: { tun: 0, mentions: [] }
    expect: { toolResult: "(" }
    reply:
      - { text: a, tool: b }
      - {}
      - { tool: "no good" }
    fault: { status: 404 }
  - reply: []
    fault: { cut: true, delayMs: 5 }
  - usage: { input: -1 }
`);
  expect(problems.map((problem) => problem.replace(/^(\S+) (\S+ ?\S+).*/, "$1 $2"))).toEqual([
    "play.yaml:1:1 name: must",
    "play.yaml:3:21 turns.0.when.mentions: Too",
    'play.yaml:3:13 "tun" is',
    "play.yaml:4:15 turns.0.expect.toolResult: must",
    "play.yaml:6:9 turns.0.reply.0: must",
    "play.yaml:7:9 turns.0.reply.1: must",
    "play.yaml:8:11 turns.0.reply.2.tool: must",
    "play.yaml:9:14 turns.0.fault.status: must",
    "play.yaml:10:5 turns.1.reply: Too",
    "play.yaml:11:5 turns.1.fault: must",
    "play.yaml:12:5 turns.2.reply: Invalid",
    "play.yaml:12:14 turns.2.usage.input: Too",
    "play.yaml:12:5 turns.2.usage.output: Invalid",
  ]);
});

it.each([
  ["syntax", "name: [", "play.yaml:1:8"],
  ["nothing", "", "play.yaml:1:1 the scenario: Invalid"],
  ["an alias", "name: &a x\ndescription: *a\n", "play.yaml:2:14 aliases"],
  ["a repeated key", "name: x\nname: y\n", 'play.yaml:2:1 "name" appears here a second time'],
  ["a prototype", '{"name":"x","__proto__":{"turns":[]}}', "play.yaml:1:13 this cannot name a value"],
  ["a second document", "name: x\n---\nname: y\n", "several documents"],
  ["a merge", "name: x\n<<: { turns: [] }\n", '"<<" is not known'],
  ["a binary value", "%YAML 1.1\n---\nname: !!binary aGk=\n", "must be a text"],
  ["deep nesting", `name: x\nturns: ${"[".repeat(5_000)}`, "nested too deeply"],
  ["closed deep nesting", `{"name":"x","turns":${"[".repeat(60)}${"]".repeat(60)}}`, "nested too deeply"],
  ["too many values", `name: x\nturns: [${"1,".repeat(30_000)}]`, "more than 20000 values"],
])("refuses %s", async (_what, content, told) => {
  expect((await problemsOf(content)).join("\n")).toContain(told);
});

it("refuses files that are no text, too large, missing or no files, each by name", async () => {
  expect(await problemsOf(Uint8Array.of(0xff, 0xfe, 0x00))).toEqual(["play.yaml is not UTF-8 text"]);
  expect(await problemsOf(" ".repeat(largestScenarioBytes + 1))).toEqual(["play.yaml is larger than 128 KB"]);
  const large = join(folder, "large.yaml");
  writeFileSync(large, "x".repeat(largestScenarioBytes * 2));
  await expect(readScenario(large)).rejects.toThrow(`${large}: is larger than 128 KB`);
  await expect(readScenario(join(folder, "none.yaml"))).rejects.toThrow("none.yaml: does not exist");
  await expect(readScenario(folder)).rejects.toThrow(InvalidScenario);
});
