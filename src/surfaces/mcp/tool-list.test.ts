import { readFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { allOperations, operations } from "../../contract/index.ts";
import { toolList, toolListWithHandles } from "./tool-list.ts";
import { operationOfTool, toolNameOf } from "./tool-names.ts";

it.each([
  ["of a client that says in _meta who calls", toolList],
  ["of a client that says it in each call's arguments", toolListWithHandles],
])("the list %s has at most 12 tools in fewer than 1,500 tokens", (_whose, list) => {
  expect(list.length).toBeLessThanOrEqual(12);
  expect(countTokens(JSON.stringify({ tools: list }))).toBeLessThan(1500);
});

it("is counted right in the documentation", () => {
  for (const page of ["mcp.md", "own-agents.md"]) {
    const text = readFileSync(join(import.meta.dirname, "..", "..", "..", "docs", page), "utf8");
    expect(/(\d+) tools/.exec(text)?.[1], page).toBe(String(toolList.length));
  }
});

it("names a tool after its operation unless the operation names it", () => {
  expect(toolNameOf(operations["work-item.claim"])).toBe("work_item_claim");
  expect(toolNameOf(operations["agent.list"])).toBe("discover_agents");
});

it("gives every operation a name of its own that clients accept", () => {
  const names = [...allOperations().map(toolNameOf), "sylk_more"];
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z][a-z0-9_]{1,63}$/);
  expect(allOperations().every((operation) => operationOfTool(toolNameOf(operation)) === operation)).toBe(true);
});

it("describes the input and keeps limits that only the daemon needs out", () => {
  const acquire = toolList.find(({ name }) => name === "reservation_acquire");
  expect(acquire).toMatchObject({
    description: operations["reservation.acquire"].summary,
    inputSchema: {
      type: "object",
      additionalProperties: false,
      properties: { mode: { enum: ["exclusive", "shared"], default: "exclusive" }, paths: { type: "array" } },
    },
  });
  expect(JSON.stringify(toolList)).not.toMatch(
    /"(\$schema|pattern|maxLength|maxItems|outputSchema)":|9007199254740991/,
  );
});

it("marks what only reads", () => {
  const reading = toolList.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name);
  expect(reading).toContain("work_item_ready");
  expect(reading).not.toContain("work_item_claim");
  expect(reading).not.toContain("sylk_more");
});
