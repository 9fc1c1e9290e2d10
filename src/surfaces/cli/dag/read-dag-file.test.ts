import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { scratchFolder } from "../../../platform/store/testkit.ts";
import { readDagFile } from "./read-dag-file.ts";

it.each([
  [
    "a node whose name stands twice",
    "nodes:\n  a: { run: x }\n  b: { run: y }\n  a: { run: z }\n",
    /:4:3: "a" appears/,
  ],
  ["a name that is none", "nodes:\n  __proto__: { run: x }\n", /:2:3: this cannot name a value/],
  ["a list", "- a\n", /:1:1: must be a map with name, nodes/],
  ["two documents", "nodes: {}\n---\nnodes: {}\n", /only one is read/],
  ["an alias", "nodes:\n  a: &x { run: x }\n  b: *x\n", /:3:6: aliases are not read/],
])("refuses %s, by its place in the file", async (_, text, problem) => {
  using folder = scratchFolder();
  const file = join(folder.path, "checks.yaml");
  writeFileSync(file, text);
  await expect(readDagFile(file, ["name", "nodes"])).rejects.toMatchObject({
    code: "input.invalid",
    message: expect.stringMatching(problem) as string,
  });
});
