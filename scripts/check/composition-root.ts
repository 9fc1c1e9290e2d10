/** The composition root only constructs, connects, starts and stops: rules and transactions belong to the features. */
import ts from "typescript";
import type { Check } from "./check.ts";
import { listSources, parseSource, placeOf, walk } from "./sources.ts";

export const compositionRoot: Check = {
  name: "wiring",
  run: (root) =>
    Promise.resolve(
      listSources(root, ["src/app"])
        .filter((file) => !file.endsWith(".test.ts"))
        .flatMap((file) => findRules(root, file)),
    ),
};

function findRules(root: string, file: string): string[] {
  const problems: string[] = [];
  walk(parseSource(root, file), (node) => {
    if (ts.isNewExpression(node) && node.expression.getText() === "DomainError")
      problems.push(`${placeOf(node)}: new DomainError: src/app refuses nothing; move the rule into its feature`);
    if (ts.isCallExpression(node) && node.expression.getText() === "invalidInput")
      problems.push(`${placeOf(node)}: invalidInput(: src/app refuses nothing; move the rule into its feature`);
    if (ts.isCallExpression(node) && /(^|\.)transact$/.test(node.expression.getText()))
      problems.push(`${placeOf(node)}: transact(: src/app changes nothing; move the change into its feature`);
  });
  return problems;
}
