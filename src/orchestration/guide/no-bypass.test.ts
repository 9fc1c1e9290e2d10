/** Static: who imports whom, read from the sources themselves. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const source = join(import.meta.dirname, "../..");
const roles = ["architect", "archivalist", "engineer", "inspector", "librarian", "orchestrator", "tester"];

function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(source, file), "utf8");
  return [...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map(([, path]) => join(file, "..", path!));
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(join(source, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/(?:\.test|testkit)\.ts$/.test(path))
    .map((path) => join(folder, path));
}

it("no role's code reaches another role's: they know the Guide alone [GUIDE-24]", () => {
  const agents = filesUnder("agents");
  expect(roles.filter((role) => !agents.includes(`agents/${role}/role.ts`))).toEqual([]);
  // agents/roles holds the table of all roles; no other file there may enter it either.
  for (const file of agents.filter((path) => !path.startsWith("agents/roles/"))) {
    const [, own = ""] = file.split("/");
    const others = importsOf(file).filter((path) => {
      const [top, folder = ""] = path.split("/");
      return top === "agents" && folder !== own && [...roles, "roles"].includes(folder);
    });
    expect(others, file).toEqual([]);
  }
});

it("only the Guide carries messages over the bus: no role and nothing else of a run imports it [GUIDE-24]", () => {
  const files = [...filesUnder("agents"), ...filesUnder("orchestration")].filter(
    (file) => !file.startsWith("orchestration/guide/"),
  );
  const onBus = files.filter((file) => importsOf(file).some((path) => path.startsWith("platform/bus")));
  expect(onBus.filter((file) => file.startsWith("agents/") || file.startsWith("orchestration/runs/"))).toEqual([]);
  expect(filesUnder("orchestration/guide").some((file) => importsOf(file).includes("platform/bus/index.ts"))).toBe(
    true,
  );
});
