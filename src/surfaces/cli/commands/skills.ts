/** Skills on the command line: what a role has, what a text would load, and what is wrong with SKILL.md folders. */
import { resolve } from "node:path";
import type { OutputOf } from "../../../contract/index.ts";
import type { CommandContext } from "../command.ts";
import { jsonFlag } from "../json-flag.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { treeRoot } from "../repository-path.ts";
import { counted } from "../wording.ts";

type Fields = Record<string, unknown>;
type List = OutputOf<"skill.list">;

export const list = operationCommand("skill.list", {
  adjust: here,
  print({ items, budget, problems, role }, out) {
    const asked = items.some(({ loaded }) => loaded !== undefined);
    out.table(
      ["skill", "tier", "domain", "tokens", "source", ...(asked ? ["loaded"] : [])],
      items.map((item) => [
        item.name,
        item.tier,
        item.domain,
        String(item.tokens),
        item.file ?? `the ${role}'s own`,
        ...(asked ? [whyText(item, out)] : []),
      ]),
    );
    out.line(
      `${asked ? "loaded" : "always loaded"}: ${budget.used} of ${budget.max} tokens, ${counted(budget.skills, "skill")}`,
    );
    printProblems(problems, out);
  },
});

export const show = operationCommand("skill.show", {
  fields: ["name"],
  adjust: here,
  print({ skill, prompt }, out) {
    out.table(
      ["", ""],
      [
        ["name", skill.id === undefined ? skill.name : `${skill.name} (${skill.id})`],
        ...(skill.tool === undefined ? [] : [["tool", skill.tool]]),
        ["tier", skill.tier],
        ["domain", skill.domain],
        ["keywords", skill.keywords.join(", ")],
        ["tokens", String(skill.tokens)],
        ["source", skill.file ?? "the role's own"],
      ],
    );
    out.line("text for the model:");
    for (const line of prompt.split("\n")) out.line(`  | ${line}`);
  },
});

export const check = operationCommand("skill.check", {
  example: "sylk skills check .sylk/skills",
  details: "Exit code 2 when there is a problem.",
  fields: ["path"],
  adjust: (input, context) => ({
    ...here(input, context),
    ...(typeof input.path === "string" ? { path: resolve(context.cwd, input.path) } : {}),
  }),
  exitCode: ({ problems }) => (problems.length === 0 ? 0 : 2),
  print({ checked, problems }, out) {
    for (const { name, tier, tokens, file } of checked) out.line(`ok  ${name}  ${tier}, ${tokens} tokens  ${file}`);
    printProblems(problems, out);
    if (checked.length + problems.length === 0) out.line("No skills here: a skill is a folder with a SKILL.md");
  },
});

export const call = operationCommand("skill.call", {
  example: 'sylk skills call get_file --role librarian --input \'{"path":"src/cart.ts"}\'',
  fields: ["name"],
  adjust: ({ input, ...rest }) => ({
    ...rest,
    ...(input === undefined ? {} : { input: jsonFlag("input", input, '{"path":"src/cart.ts"}') }),
  }),
  print({ skill, result }, out) {
    out.line(`${skill}:`);
    for (const line of JSON.stringify(result, undefined, 2).split("\n")) out.line(`  ${line}`);
  },
});

export const loaded = operationCommand("skill.loaded", {
  details: "A loaded skill stays loaded over calls. Five calls without it unload it; so does a restart of the daemon.",
  print({ role, session, core, extended, loaded: held, budget }, out) {
    out.paragraph(`the ${role} in ${session}: ${core.length} core and ${extended.length} other skills`);
    out.table(
      ["loaded", "tier", "tokens", "why"],
      held.map(({ name, tier, tokens, why }) => [name, tier, String(tokens), why.by]),
    );
    printBudget(budget, out);
  },
});

export const load = operationCommand("skill.load", {
  fields: ["name"],
  print({ loaded: { name, tokens }, budget }, out) {
    out.line(`loaded ${name}, ${tokens} tokens`);
    printBudget(budget, out);
  },
});

export const unload = operationCommand("skill.unload", {
  fields: ["name"],
  print({ unloaded, budget }, out) {
    out.line(`unloaded ${unloaded}`);
    printBudget(budget, out);
  },
});

/** The project of the current folder, unless another is named. */
function here(input: Fields, { cwd }: CommandContext): Fields {
  return { folder: treeRoot(cwd), ...input };
}

function whyText({ loaded, tooLarge }: List["items"][number], out: Output): string {
  if (tooLarge === true) return out.paint("yellow", "no room in the budget");
  if (loaded === undefined) return "-";
  return loaded.by === "keywords" ? `by ${(loaded.matched ?? []).join(", ")}` : loaded.by;
}

function printBudget({ used, max, skills, maxSkills }: List["budget"], out: Output): void {
  out.line(`budget: ${used} of ${max} tokens, ${skills} of ${maxSkills} skills`);
}

function printProblems(problems: List["problems"], out: Output): void {
  for (const { file, line, message } of problems)
    out.line(`${out.paint("red", "problem")}  ${file}${line === undefined ? "" : `:${line}`}: ${message}`);
}
