/** With a real language server: the one for TypeScript, over the TypeScript of this repository, in a sandbox where one works. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../platform/clock/index.ts";
import { createSandbox } from "../confinement/index.ts";
import { noSandbox } from "../confinement/testkit.ts";
import { enclosureIn } from "./enclose-server.ts";
import { knownServers } from "./known-servers.ts";
import { scratchServers } from "./testkit.ts";

const modules = join(import.meta.dirname, "../../../node_modules");
const files = {
  "src/birds.ts": "export function heron(): number {\n  return 1;\n}\n",
  "loose/other.ts": "export const other = 1;\n",
  "src/use.ts": 'import { heron } from "./birds.ts";\n\nexport const two: string = heron() + heron();\n',
};
const options = { module: "preserve", allowImportingTsExtensions: true, noEmit: true, types: [] };
const config = (more: object) => JSON.stringify({ compilerOptions: options, ...more });

async function open(more: Readonly<Record<string, string>>) {
  const caches = mkdtempSync(join(tmpdir(), "sylk-caches-"));
  onTestFinished(() => rmSync(caches, { recursive: true, force: true }));
  const sandbox = createSandbox({ clock: systemClock(), network: false });
  const at = await scratchServers(
    { ...files, ...more },
    {
      clock: systemClock(),
      servers: knownServers,
      enclosureOf: enclosureIn(sandbox, { isNeeded: false, caches, hidden: [] }),
      findProgram: (name) => join(modules, ".bin", name),
      env: { PATH: `${join(modules, ".bin")}:${process.env.PATH ?? ""}` },
    },
  );
  mkdirSync(join(at.tree, "node_modules"));
  symlinkSync(join(modules, "typescript"), join(at.tree, "node_modules/typescript"));
  return at;
}

it(
  "the TypeScript server answers exactly for what its project includes, and says so of a file outside",
  { timeout: 60_000 },
  async () => {
    await using at = await open({ "tsconfig.json": config({ include: ["src"] }) });
    const found = await at.servers.references(at.at("src/birds.ts", 1, 17));
    expect(found).toMatchObject({ state: "answered", confidence: "exact", notes: [] });
    const places = found.state === "answered" ? found.found.places : [];
    expect(places.map(({ path, line, column }) => `${path}:${line}:${column}`).sort()).toEqual([
      "src/birds.ts:1:17",
      "src/use.ts:1:10",
      "src/use.ts:3:28",
      "src/use.ts:3:38",
    ]);
    expect(await at.servers.hover(at.at("src/use.ts", 3, 28))).toMatchObject({
      found: { text: expect.stringContaining("(alias) heron(): number") },
    });
    expect(await at.servers.definition(at.at("src/use.ts", 3, 28))).toMatchObject({
      found: { places: [{ path: "src/birds.ts", line: 1, column: 17 }] },
    });
    expect(await at.servers.diagnostics(at.at("src/use.ts"))).toMatchObject({
      found: {
        diagnostics: [{ line: 3, severity: "error", code: "2322", message: expect.stringContaining("'string'") }],
      },
    });
    expect(await at.servers.references(at.at("loose/other.ts", 1, 14))).toMatchObject({
      confidence: "likely",
      notes: [expect.stringContaining("the project's set-up does not include loose/other.ts")],
    });
    expect(at.servers.list()).toMatchObject([
      { server: "typescript-language-server", state: "running", sandboxed: noSandbox === "", questions: 5 },
    ]);
    at.write("src/use.ts", 'import { heron } from "./birds.ts";\n\nexport const one = heron();\n');
    at.servers.filesChanged(at.tree, [{ path: "src/use.ts", kind: "changed" }]);
    const later = await at.servers.references(at.at("src/birds.ts", 1, 17));
    const lines = later.state === "answered" ? later.found.places.map(({ path, line }) => `${path}:${line}`) : [];
    expect(lines.sort()).toEqual(["src/birds.ts:1", "src/use.ts:1", "src/use.ts:3"]);
  },
);

it("the TypeScript server is not sure without a set-up", { timeout: 60_000 }, async () => {
  await using bare = await open({});
  expect(await bare.servers.references(bare.at("src/birds.ts", 1, 17))).toMatchObject({
    confidence: "likely",
    notes: [
      "there is no tsconfig.json or jsconfig.json for src/birds.ts, so typescript-language-server may know some files only",
    ],
  });
});
