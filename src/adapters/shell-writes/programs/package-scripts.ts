/** `npm run x`, `yarn x`, `make x`: the text that the project's own file gives for it is read in its place. */
import { type Field, plain } from "../field.ts";
import type { Doings } from "../program.ts";

/** False where there is no such script. Those before and behind it run too. */
export function runPackageScript(name: string, args: readonly Field[], { read, shell }: Doings): boolean {
  const scripts = scriptsIn(read(plain("package.json")));
  if (scripts === undefined || typeof scripts[name] !== "string") return false;
  for (const one of [`pre${name}`, name, `post${name}`]) {
    const text = scripts[one];
    if (typeof text === "string") shell(`${text} "$@"`, one === name ? args : []);
  }
  return true;
}

function scriptsIn(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const { scripts } = JSON.parse(text ?? "") as { scripts?: Record<string, unknown> };
    return typeof scripts === "object" && scripts !== null ? scripts : undefined;
  } catch {
    return undefined;
  }
}

const mostRules = 50;

/**
 * The recipes of these targets and of what they need. Only plain rules are read: `x: y` and lines behind a tab, with
 * variables that are set in the file or on the command line. False where a target has no such rule.
 */
export function runMakeTargets(
  text: string,
  targets: readonly string[],
  given: Readonly<Record<string, string>>,
  { shell }: Pick<Doings, "shell">,
): boolean {
  const { rules, variables } = readMakefile(text);
  const values = { ...variables, ...given };
  const waiting =
    targets.length > 0 ? [...targets] : [...rules.keys()].filter((name) => !name.startsWith(".")).slice(0, 1);
  const isWhole = waiting.length > 0 && waiting.every((target) => rules.has(target));
  const done = new Set<string>();
  for (let next = waiting.shift(); next !== undefined && done.size < mostRules; next = waiting.shift()) {
    const rule = rules.get(next);
    if (rule === undefined || done.has(next)) continue;
    done.add(next);
    waiting.push(...expanded(rule.needs, values).split(/\s+/));
    for (const line of rule.recipe) shell(expanded(line.replace(/^[@+-]+/, ""), { ...values, "@": next }));
  }
  return isWhole;
}

type Rule = { readonly needs: string; readonly recipe: string[] };

function readMakefile(text: string): { rules: Map<string, Rule>; variables: Record<string, string> } {
  const rules = new Map<string, Rule>();
  const variables: Record<string, string> = {};
  let current: Rule[] = [];
  for (const line of text.replaceAll("\\\n", " ").split("\n")) {
    const [, name, value] = /^(?:export\s+)?([\w.-]+)\s*[:?+]?=\s*(.*)$/.exec(line) ?? [];
    const [, targets, needs = "", recipe] = /^([^\t#=:]+)::?(?!=)\s*([^;]*)(?:;(.*))?$/.exec(line) ?? [];
    if (line.startsWith("\t")) for (const rule of current) rule.recipe.push(line.slice(1));
    else if (name !== undefined) variables[name] = value!.trim();
    else if (targets !== undefined) {
      current = targets
        .trim()
        .split(/\s+/)
        .map((target) => {
          const rule = { needs, recipe: recipe === undefined ? [] : [recipe.trim()] };
          rules.set(target, rule);
          return rule;
        });
    }
  }
  return { rules, variables };
}

/** `$(SRC)`, `${SRC}`, `$@`; a variable that is not known stays, which the shell takes for a command: unknown. */
function expanded(text: string, values: Readonly<Record<string, string>>, depth = 0): string {
  const next = text.replaceAll(/\$\$|\$[({]([\w.-]+)[)}]|\$(@)/g, (whole, name?: string, target?: string) => {
    if (whole === "$$") return "\0";
    return values[name ?? target ?? ""] ?? whole;
  });
  return next === text || depth > 5 ? next.replaceAll("\0", "$") : expanded(next, values, depth + 1);
}
