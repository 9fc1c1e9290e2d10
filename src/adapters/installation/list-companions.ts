/** Everything that installations wrote, each with its state: for `sylk companions`. */
import type { Companion } from "../../contract/index.ts";
import { type ExamineTerms, type InstallTrouble, troublesOf } from "./examine-install.ts";
import { readRecords } from "./install-record.ts";

export function listCompanions(terms: ExamineTerms): readonly Companion[] {
  const records = readRecords(terms.paths);
  const troubles = troublesOf(terms);
  const clients = records.map(({ client, scope, tree }) => ({
    name: client,
    tree: scope === "user" ? undefined : tree,
  }));
  const gates = records.flatMap(({ preCommit, tree }) =>
    preCommit === undefined ? [] : [{ name: "commit-gate", tree }],
  );
  const launcher = records.length === 0 ? [] : [{ name: "launcher", tree: undefined }];
  return [...clients, ...launcher, ...distinct(gates)].map((one) => stateOf(one, troubles));
}

type Place = { readonly name: string; readonly tree: string | undefined };

function stateOf({ name, tree }: Place, troubles: readonly InstallTrouble[]): Companion {
  const own = troubles.filter((trouble) => nameOf(trouble) === name && trouble.tree === tree);
  const isOutdated = own.length > 0 && own.every(({ kind }) => kind === "outdated");
  return {
    name,
    ...(tree === undefined ? {} : { tree }),
    state: own.length === 0 ? "active" : isOutdated ? "outdated" : "missing",
    why: own.map(({ what }) => what),
  };
}

function nameOf({ client, kind }: InstallTrouble): string {
  return kind === "gate" ? "commit-gate" : (client ?? "launcher");
}

/** Several clients of one repository share its gate. */
function distinct(gates: readonly Place[]): readonly Place[] {
  return [...new Map(gates.map((gate) => [gate.tree, gate])).values()];
}
