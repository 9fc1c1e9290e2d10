/**
 * Sorts what a query captured. The names of captures are the only language between queries and code:
 *
 *   @definition.<kind> with @name (several are joined by dots), optionally @container (a name) and @body
 *   @scope with @name: names around definitions without being one, such as Rust's impl
 *   @exported, @local: a name is visible outside; a name is a variable of the file
 *   @import with @import.module, @import.tree (one path with members) or @import.requirement (a name with its version);
 *   around @import.name
 *   @reference.call, @reference.type, @reference.use, @ignored; @comment, @doc; @embedded: text in another language
 */
import type { Node, QueryMatch } from "web-tree-sitter";
import type { SymbolKind } from "../../knowledge/code-index/index.ts";

export type Definition = {
  readonly kind: SymbolKind | "scope";
  readonly node: Node;
  readonly names: readonly Node[];
  readonly container: Node | undefined;
  readonly body: Node | undefined;
  readonly pattern: number;
};

export type Import = {
  readonly statement: Node;
  readonly module: Node;
  readonly form: "tree" | "requirement" | "module";
  readonly pattern: number;
};

export type Captures = {
  /** By the place of the name or module: the first pattern of the query decides. */
  readonly definitions: ReadonlyMap<number, Definition>;
  readonly imports: ReadonlyMap<number, Import>;
  /** Every capture by its name. */
  readonly named: (name: string) => readonly Node[];
};

export function collectCaptures(matches: readonly QueryMatch[]): Captures {
  const definitions = new Map<number, Definition>();
  const imports = new Map<number, Import>();
  const groups = new Map<string, Node[]>();
  for (const match of matches) {
    for (const { name, node } of match.captures) {
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [node]);
      else group.push(node);
    }
    if (match.captures.length === 1) continue; // neither a definition nor an import
    const definition = readDefinition(match);
    if (definition?.names[0] !== undefined) keepFirst(definitions, definition.names[0].startIndex, definition);
    const found = readImport(match);
    if (found !== undefined) keepFirst(imports, found.module.startIndex, found);
  }
  return { definitions, imports, named: (name) => groups.get(name) ?? [] };
}

function keepFirst<T extends { readonly pattern: number }>(found: Map<number, T>, place: number, next: T): void {
  const rival = found.get(place);
  if (rival === undefined || rival.pattern > next.pattern) found.set(place, next);
}

function readDefinition(match: QueryMatch): Definition | undefined {
  const whole = match.captures.find(({ name }) => name.startsWith("definition.") || name === "scope");
  if (whole === undefined) return undefined;
  return {
    kind: whole.name === "scope" ? "scope" : (whole.name.slice("definition.".length) as SymbolKind),
    node: whole.node,
    names: match.captures.filter(({ name }) => name === "name").map(({ node }) => node),
    container: nodeNamed(match, "container"),
    body: nodeNamed(match, "body"),
    pattern: match.patternIndex,
  };
}

function readImport(match: QueryMatch): Import | undefined {
  const statement = nodeNamed(match, "import");
  if (statement === undefined) return undefined;
  for (const form of ["tree", "requirement", "module"] as const) {
    const module = nodeNamed(match, `import.${form}`);
    if (module !== undefined) return { statement, module, form, pattern: match.patternIndex };
  }
  return undefined;
}

function nodeNamed({ captures }: QueryMatch, wanted: string): Node | undefined {
  return captures.find(({ name }) => name === wanted)?.node;
}
