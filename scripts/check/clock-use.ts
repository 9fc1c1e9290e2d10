/**
 * Time and chance come in through ports: only the clock and the id source may ask the machine for them, and no test
 * sleeps. An exception says why on its line: `// clock-exempt: reason`.
 */
import ts from "typescript";
import type { Check } from "./check.ts";
import { lineOf, listSources, parseSource, placeOf, walk } from "./sources.ts";

const PORTS = /^src\/platform\/(clock|ids)/;
const EXEMPT = /\/\/ clock-exempt: \S/;
const TIMERS = /^(node:)?timers(\/promises)?$/;
const SLEEPS = new Set(["setTimeout", "Atomics.wait"]);
const MACHINE = new Set([
  "setTimeout",
  "setInterval",
  "AbortSignal.timeout",
  "Atomics.wait",
  "Date.now",
  "performance.now",
  "process.hrtime",
  "process.hrtime.bigint",
  "Math.random",
]);

export const clockUse: Check = {
  name: "clock",
  run: (root) => {
    const product = listSources(root, ["src"]).filter((file) => !PORTS.test(file));
    const tests = listSources(root, ["test"]);
    return Promise.resolve([
      ...product.flatMap((file) => findUses(root, file, MACHINE, "take the time (or chance) from a port")),
      ...tests.flatMap((file) => findUses(root, file, SLEEPS, "wait for a condition instead of sleeping")),
    ]);
  },
};

function findUses(root: string, file: string, forbidden: ReadonlySet<string>, advice: string): string[] {
  const problems: string[] = [];
  walk(parseSource(root, file), (node) => {
    const use = forbiddenUse(node, forbidden);
    if (use === undefined || EXEMPT.test(lineOf(node))) return;
    problems.push(`${placeOf(node)}: ${use}: ${advice}, or end the line with "// clock-exempt: reason"`);
  });
  return problems;
}

function forbiddenUse(node: ts.Node, forbidden: ReadonlySet<string>): string | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier) && !isTypeImport(node)) {
    return TIMERS.test(node.moduleSpecifier.text) ? `import of ${node.moduleSpecifier.text}` : undefined;
  }
  if (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length) {
    return forbidden.has("Date.now") ? "new Date()" : undefined;
  }
  if (ts.isPropertyAccessExpression(node)) return known(node.getText().replace(/^globalThis\./, ""), forbidden);
  return ts.isIdentifier(node) && isReference(node) ? known(node.text, forbidden) : undefined;
}

function isTypeImport({ importClause }: ts.ImportDeclaration): boolean {
  return importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

function known(name: string, forbidden: ReadonlySet<string>): string | undefined {
  return forbidden.has(name) ? name : undefined;
}

/** Not a property's or a declaration's name: `clock.setTimeout(...)` is a port, `setTimeout(...)` the machine. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  const named = ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isMethodSignature(parent);
  if (named || ts.isPropertySignature(parent) || ts.isBindingElement(parent) || ts.isParameter(parent))
    return parent.name !== node;
  return true;
}
