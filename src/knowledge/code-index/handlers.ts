/**
 * The operations on the code: questions to the index about a tree that the caller may read, about places in files, language
 * servers and imported SCIP indexes.
 */
import { type Caller, DomainError, type LanguageServer, type OutputOf } from "../../contract/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { definitionAt, diagnosticsOf, hoverAt, type PlacePorts, referencesAt } from "./answer-at-place.ts";
import type { CodeIndex } from "./code-index.ts";

export type CodePorts = {
  readonly index: Pick<CodeIndex, "ask">;
  /** The tree that is named, or the caller's own; refuses one of another project. */
  readonly treeOf: (tree: string | undefined, caller: Caller) => Promise<string>;
};

export function codeHandlers({ index, treeOf }: CodePorts): OperationHandlers<unknown, OperationsOn<"code">> {
  return {
    "code.find": async (input, { caller }) => index.ask("code.find", await treeOf(input.tree, caller), input),
    "code.search": async (input, { caller }) => index.ask("code.search", await treeOf(input.tree, caller), input),
    "code.symbols": async (input, { caller }) => index.ask("code.symbols", await treeOf(input.tree, caller), input),
    "code.usages": async (input, { caller }) => index.ask("code.usages", await treeOf(input.tree, caller), input),
    "code.dependents": async (input, { caller }) =>
      index.ask("code.dependents", await treeOf(input.tree, caller), input),
    "code.outline": async (input, { caller }) => index.ask("code.outline", await treeOf(input.tree, caller), input),
    "code.files": async (input, { caller }) => index.ask("code.files", await treeOf(input.tree, caller), input),
    "code.map": async (input, { caller }) => index.ask("code.map", await treeOf(input.tree, caller), input),
    "code.drift": async (input, { caller }) => index.ask("code.drift", await treeOf(input.tree, caller), input),
  };
}

export type PositionPorts = PlacePorts &
  Pick<CodePorts, "treeOf"> & {
    readonly servers: () => readonly LanguageServer[];
    /** Refuses a file that is not an index by an error whose message says why. */
    readonly importScip: (file: string, tree: string) => Promise<OutputOf<"scip.import">>;
    readonly listScip: (tree: string) => Promise<OutputOf<"scip.list">["items"]>;
  };
type Names = OperationsOn<"position"> | OperationsOn<"language-server"> | OperationsOn<"scip">;

export function positionHandlers(ports: PositionPorts): OperationHandlers<unknown, Names> {
  const { treeOf } = ports;
  return {
    "position.hover": async (input, { caller }) => hoverAt(input, await treeOf(input.tree, caller), ports),
    "position.definition": async (input, { caller }) => definitionAt(input, await treeOf(input.tree, caller), ports),
    "position.references": async (input, { caller }) => referencesAt(input, await treeOf(input.tree, caller), ports),
    "position.diagnostics": async (input, { caller }) => diagnosticsOf(input, await treeOf(input.tree, caller), ports),
    "language-server.list": async (_input, { caller }) => ({ items: await visible(ports.servers(), caller, treeOf) }),
    "scip.import": async ({ file, tree }, { caller }) => ports.importScip(file, await treeOf(tree, caller)),
    "scip.list": async ({ tree }, { caller }) => ({ items: await ports.listScip(await treeOf(tree, caller)) }),
  };
}

/** An agent sees the servers of its own project's trees. */
async function visible(
  servers: readonly LanguageServer[],
  caller: Caller,
  treeOf: CodePorts["treeOf"],
): Promise<LanguageServer[]> {
  if (caller.kind === "user") return [...servers];
  const isOwn = await Promise.all(
    servers.map(({ tree }) =>
      treeOf(tree, caller).then(
        () => true,
        (error: unknown) => {
          if (error instanceof DomainError) return false;
          throw error;
        },
      ),
    ),
  );
  return servers.filter((_server, index) => isOwn[index]);
}
