/** Questions about one tree, for callers inside the program: input as the contract takes it, defaults filled in. */
import { operations, type OutputOf, parseInput, type RawInputOf } from "../../contract/index.ts";
import type { CodeQuestion } from "./answer-question.ts";
import type { CodeIndex } from "./code-index.ts";

export type CodeLook = <Name extends CodeQuestion>(
  name: Name,
  input: Omit<RawInputOf<Name>, "tree">,
) => Promise<OutputOf<Name>>;

export function lookInto(index: Pick<CodeIndex, "ask">, tree: string): CodeLook {
  return (name, input) => index.ask(name, tree, parseInput(operations[name], input));
}
