/** One definition, every surface: what is generated from the contract is complete and committed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generatedFiles } from "../../scripts/generate/generated-files.ts";
import { allOperations } from "../../src/contract/index.ts";
import { commandTable } from "../../src/surfaces/cli/command-table.ts";
import { openApiDocument } from "../../src/surfaces/http/index.ts";
import { findMore } from "../../src/surfaces/mcp/more-tool.ts";
import { toolList } from "../../src/surfaces/mcp/index.ts";
import { toolNameOf } from "../../src/surfaces/mcp/tool-names.ts";

const root = join(import.meta.dirname, "..", "..");
const generated = await generatedFiles();

it("keeps the reference and the golden surface equal to what the contract generates [CORE-5]", () => {
  for (const [path, content] of generated) {
    expect(readFileSync(join(root, path), "utf8"), `${path} is stale: npm run generate`).toBe(content);
  }
});

it.each(allOperations().map((operation) => [operation.name, operation] as const))(
  "gives %s a route, an OpenAPI entry, a tool, a command and a reference section [CORE-5]",
  async (name, operation) => {
    const paths = openApiDocument().paths as Record<string, Record<string, { operationId: string; summary: string }>>;
    expect(paths[operation.path]?.[operation.method.toLowerCase()]).toMatchObject({
      operationId: name,
      summary: operation.summary,
    });
    const { operations: further } = findMore("") as { operations: { name: string }[] };
    expect([...toolList, ...further].map((tool) => tool.name)).toContain(toolNameOf(operation));
    const rows = await Promise.all(commandTable.map(async (row) => ({ row, written: await row.written() })));
    const own = rows.filter(({ written }) => written.operation === name);
    expect(own).toHaveLength(1);
    expect((await own[0]!.row.load()).summary).toBe(operation.summary);
    expect(generated.get("docs/reference/operations.md")).toContain(`\n## ${name}\n`);
  },
);
