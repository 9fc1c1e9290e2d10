/** The operations on the code: each is a question to the index about a tree that the caller may read. */
import type { Caller } from "../../contract/index.ts";
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
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
  };
}
