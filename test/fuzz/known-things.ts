/** What exists in the world, for fields that must name something; and nothing that would leave this machine's scratch. */
import { join } from "node:path";
import fc from "fast-check";
import type { OperationName } from "../../src/contract/index.ts";
import type { FuzzWorld } from "./fuzz-world.ts";
import type { Known, Schema } from "./valid-input.ts";

const files = ["src/a.ts", "src/[id]/page.ts", "a b.ts", "src/heron-0.ts", "deep/".repeat(40) + "x", "ü/é.ts"];
const globs = ["src/**", "**/*.ts", "{a,b}/*.ts", "src/[a-z]*.ts", "*", "docs/?"];

export function knownTo(operation: OperationName, world: Pick<FuzzWorld, "ids" | "repository" | "root">): Known {
  return (field, schema, text) =>
    idOf(operation, schema, text(schema), world) ?? placeOf(operation, field, world) ?? nameOf(operation, field);
}

function idOf(
  operation: OperationName,
  { pattern = "" }: Schema,
  nobody: fc.Arbitrary<string>,
  { ids }: Pick<FuzzWorld, "ids">,
) {
  const [, prefix] = /^\^(\w{3})_/.exec(pattern) ?? [];
  if (prefix === undefined) return undefined;
  // The caller itself goes on living, or every later call would only learn that it has ended.
  const there = (ids[prefix] ?? []).slice(operation === "agent.end" ? 1 : 0);
  return there.length === 0
    ? nobody
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...there) }, { weight: 1, arbitrary: nobody });
}

function placeOf(
  operation: OperationName,
  field: string,
  { repository, root }: Pick<FuzzWorld, "repository" | "root">,
) {
  if (field === "paths") return fc.constantFrom(...files);
  if (field === "patterns") return fc.constantFrom(...globs);
  if (field === "file")
    return fc.oneof(
      fc.nat(20).map((n) => join(root, `file-${n}`)),
      fc.constantFrom("/nowhere/none.db", "/dev/null"),
    );
  if (field === "rehearse") return fc.constantFrom("/nowhere/scenario.yaml", "/dev/null", repository);
  if (field !== "path") return undefined;
  if (operation === "reservation.list") return fc.constantFrom(...files);
  const none = [root, "/nowhere/at/all", "relative", join(root, "x".repeat(300))];
  // A graph would run whatever its words mean: no folder that exists.
  if (operation === "dag.run") return fc.constantFrom(...none.slice(-1), "/nowhere/at/all");
  // A run would start a worker and git: no folder that could have one.
  return operation === "run.start"
    ? fc.constantFrom(...none)
    : fc.constantFrom(repository, join(repository, "src"), ...none);
}

/** Nobody is asked over the network: a provider that is tested does not exist. */
function nameOf(operation: OperationName, field: string) {
  if (field !== "name" || !operation.startsWith("provider.")) return undefined;
  return operation === "provider.test" ? fc.constantFrom("absent", "absent-2") : fc.constantFrom("one", "two", "three");
}
