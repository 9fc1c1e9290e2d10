/**
 * What became of the symbols of changed files: removed, or with another signature.
 *
 * A symbol that moved to another file is not removed: documents name it rightly. Pure.
 */
type Known = {
  readonly name: string;
  readonly kind: string;
  readonly container?: string | undefined;
  readonly signature: string;
  readonly line: number;
};
export type ChangedFile = {
  readonly path: string;
  readonly before: readonly Known[];
  /** Empty for a file that is gone. */
  readonly after: readonly Known[];
  /** Whether a name that has no symbol any more may still be in the file: its syntax is broken now. */
  readonly mayStillHave?: (name: string) => boolean;
};
export type SymbolChange = {
  readonly kind: "symbol-removed" | "signature-changed";
  readonly name: string;
  readonly container?: string | undefined;
  readonly was: { readonly path: string; readonly line: number; readonly signature: string };
  readonly now?: { readonly path: string; readonly line: number; readonly signature: string };
};

/** Headings are documentation itself; keys of configuration files change their value all the time. */
const isSymbol = ({ kind }: Known): boolean => kind !== "heading";
const hasSignature = ({ kind }: Known): boolean => kind !== "config";

/** `isDefined`: whether a symbol of this name is anywhere in the tree now. */
export function compareSymbols(
  files: readonly ChangedFile[],
  isDefined: (name: string) => boolean,
): readonly SymbolChange[] {
  return files.flatMap(({ path, before, after, mayStillHave = () => false }) => {
    const now = Map.groupBy(after.filter(isSymbol), keyOf);
    return [...Map.groupBy(before.filter(isSymbol), keyOf)].flatMap(([key, was]): SymbolChange[] => {
      const [first] = was as [Known, ...Known[]];
      const kept = now.get(key);
      const { name, container, line, signature } = first;
      const base = { name, container, was: { path, line, signature } };
      if (kept === undefined) return isDefined(name) || mayStillHave(name) ? [] : [{ kind: "symbol-removed", ...base }];
      const other = kept.find((one) => !was.some((old) => old.signature === one.signature));
      if (other === undefined || !hasSignature(first)) return [];
      return [{ kind: "signature-changed", ...base, now: { path, line: other.line, signature: other.signature } }];
    });
  });
}

function keyOf({ name, container = "" }: Known): string {
  return `${container}\n${name}`;
}
