/** Skills about the code, answered by the index. */
import { choice, defineSkill, optional, text } from "../../../knowledge/skills/index.ts";
import type { CodeLook } from "../../../knowledge/code-index/index.ts";
import { defined } from "../../../platform/defined.ts";
import { callable, type CallableSkill } from "../../skills/index.ts";
import { searchPlaces } from "./look-up.ts";

const codebase = { domain: "codebase" } as const;
const kinds = ["function", "type", "const", "var", "any"] as const;

export const findSymbol = defineSkill({
  ...codebase,
  name: "find_symbol",
  description: "Find where a function, type, constant or variable is defined, by its name or a part of it",
  keywords: ["symbol", "find", "definition", "function", "type"],
  tier: "core",
  parameters: { name: text("Name or part of it"), kind: optional(choice(kinds, "Kind of symbol; any by default")) },
  tokens: 94,
});

export const searchCode = defineSkill({
  ...codebase,
  name: "search_code",
  description: "Search for code patterns or text in the codebase",
  keywords: ["search", "grep", "find", "code", "pattern"],
  tier: "core",
  parameters: {
    query: text("Search query or pattern"),
    file_pattern: optional(text("Only files that match this, for example src/**/*.ts")),
  },
  tokens: 74,
});

const findUsages = defineSkill({
  ...codebase,
  name: "find_usages",
  description: "List where a symbol is defined and used, the surest places first",
  keywords: ["usages", "used", "callers", "references"],
  tier: "domain",
  parameters: { symbol: text("Name of the symbol, for example Cart.total") },
  tokens: 62,
});

const analyzeImports = defineSkill({
  ...codebase,
  name: "analyze_imports",
  description: "List the files that import a package, a module or a file of the tree",
  keywords: ["imports", "dependencies", "package", "depends"],
  tier: "domain",
  parameters: { package: text("Package, module or path relative to the root") },
  tokens: 65,
});

const searchAst = defineSkill({
  ...codebase,
  name: "search_ast",
  description:
    "Find code of a certain shape: a pattern in the language's own syntax, $A for one node, $$$ for any number",
  keywords: ["ast", "pattern", "structure", "shape", "every call"],
  tier: "domain",
  parameters: {
    pattern: text("Code, for example fetch($URL, $$$)"),
    language: optional(text("Language of the pattern")),
    file_pattern: optional(text("Only files that match this")),
  },
  tokens: 104,
});

const explainPattern = defineSkill({
  ...codebase,
  name: "explain_pattern",
  description:
    "Say whether something exists already and how it is done here: definitions, places and what comments say of it",
  keywords: ["explain", "pattern", "how is", "convention"],
  tier: "domain",
  parameters: { pattern: text("What to explain, in words or names") },
  tokens: 68,
});

/**
 * For roles that plan or change code. In a run their models always have all skills of the Librarian as tools, because no
 * word of a task foretells what has to be looked up; as skills of their own they have these three, whose number is bounded.
 */
export const lookSkills = [findSymbol, searchCode, findUsages].map((skill) => ({ ...skill, tier: "domain" as const }));
export const codeSkills = [findUsages, analyzeImports, explainPattern, searchAst];

const most = { limit: 30 } as const;
const some = { limit: 8 } as const;

export function lookCallables(look: CodeLook): readonly CallableSkill[] {
  return [
    callable(findSymbol, "read", async ({ name, kind = "any" }) => look("code.symbols", { name, kind, ...most })),
    callable(searchCode, "read", async ({ query, file_pattern: files }) => searchPlaces(query, look, files)),
    callable(findUsages, "read", async ({ symbol }) => look("code.usages", { symbol, ...most })),
  ];
}

export function codeCallables(look: CodeLook): readonly CallableSkill[] {
  return [
    ...lookCallables(look),
    callable(analyzeImports, "read", async ({ package: module }) => look("code.dependents", { module, limit: 100 })),
    callable(searchAst, "read", async ({ pattern, language, file_pattern: files }) =>
      look("code.search", { text: pattern, ast: true, ...defined({ language, files }), ...most }),
    ),
    callable(explainPattern, "read", async ({ pattern }) => {
      const { exists, symbols, about } = await look("code.find", { text: pattern, ...most });
      const { items: places } = await look("code.search", { text: pattern, ranked: true, ...some });
      const { items: documentation } = await look("code.search", { text: pattern, docs: true, ...some });
      return { exists, symbols, places, documentation, about };
    }),
  ];
}
