/**
 * The repository as Sylk knows it: a tree of the paths that agents hold, wait for, change or pass on.
 *
 *   reservations, requests, figures, forecasts, versions -> marks by path -> folders with sums -> rows in view
 *
 * Invariants: every path is findable in the tree; a folder's figures are the sums of its children's and its own.
 */
export type Figures = {
  readonly holds: number;
  readonly waiters: number;
  readonly grants: number;
  readonly handOvers: number;
  readonly backAndForth: number;
  readonly waitedMs: number;
  readonly forecasts: number;
  readonly versions: number;
};
export const noFigures: Figures = {
  holds: 0,
  waiters: 0,
  grants: 0,
  handOvers: 0,
  backAndForth: 0,
  waitedMs: 0,
  forecasts: 0,
  versions: 0,
};
const names = Object.keys(noFigures) as readonly (keyof Figures)[];

export type PathMark = { readonly path: string } & Partial<Figures>;
export type TreeNode = {
  readonly name: string;
  readonly path: string;
  /** Of its own path, without what is below. */
  readonly own: Figures;
  readonly total: Figures;
  /** Paths in it that are known by themselves, this one included. */
  readonly paths: number;
  readonly children: readonly TreeNode[];
};

export function addFigures(a: Figures, b: Partial<Figures>): Figures {
  return Object.fromEntries(names.map((name) => [name, a[name] + (b[name] ?? 0)])) as Figures;
}

type Growing = {
  readonly name: string;
  readonly path: string;
  own: Figures;
  isKnown: boolean;
  readonly children: Map<string, Growing>;
};

/** A pattern is a path like any other: `src/**` is the entry `**` of the folder `src`. */
export function buildTree(marks: readonly PathMark[]): TreeNode {
  const root = grow("", "");
  for (const { path, ...figures } of marks) {
    let node = root;
    for (const name of path.split("/").filter((part) => part !== "")) {
      let child = node.children.get(name);
      if (child === undefined) {
        child = grow(name, node.path === "" ? name : `${node.path}/${name}`);
        node.children.set(name, child);
      }
      node = child;
    }
    node.own = addFigures(node.own, figures);
    node.isKnown = true;
  }
  return finish(root);
}

function grow(name: string, path: string): Growing {
  return { name, path, own: noFigures, isKnown: false, children: new Map() };
}

function finish({ name, path, own, isKnown, children }: Growing): TreeNode {
  const below = [...children.values()].map(finish).sort(foldersFirst);
  return {
    name,
    path,
    own,
    total: below.reduce((sum, { total }) => addFigures(sum, total), own),
    paths: below.reduce((sum, node) => sum + node.paths, isKnown ? 1 : 0),
    children: below,
  };
}

function foldersFirst(a: TreeNode, b: TreeNode): number {
  const isFolder = (node: TreeNode): number => (node.children.length > 0 ? 0 : 1);
  return isFolder(a) - isFolder(b) || (a.name < b.name ? -1 : 1);
}

export function findNode(tree: TreeNode, path: string): TreeNode | undefined {
  let node: TreeNode | undefined = tree;
  for (const name of path.split("/").filter((part) => part !== ""))
    node = node?.children.find((one) => one.name === name);
  return node;
}

/** How contended a path is. Hand-overs back to the last holder and waiting hurt most. */
export function heatOf({
  holds,
  waiters,
  grants,
  handOvers,
  backAndForth,
  waitedMs,
  forecasts,
  versions,
}: Figures): number {
  return holds + grants + versions + 3 * handOvers + 5 * backAndForth + 5 * waiters + 5 * forecasts + waitedMs / 10_000;
}

/** 0 to 4 bars. By the logarithm: one very hot path must not make all others look cold. */
export function heatLevel(heat: number, hottest: number): number {
  if (heat <= 0 || hottest <= 0) return 0;
  return Math.min(4, Math.max(1, Math.ceil((4 * Math.log1p(heat)) / Math.log1p(hottest))));
}

export type TreeRow = {
  readonly node: TreeNode;
  /** With the folders above it that hold nothing else: `packages/checkout/src`. */
  readonly name: string;
  readonly depth: number;
  readonly isOpen: boolean;
};

/** Rows in view. `folded` names what the person opened or closed; otherwise the first level is open. */
export function visibleRows(
  tree: TreeNode,
  folded: ReadonlyMap<string, boolean>,
  isSearch = false,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const visit = (given: TreeNode, depth: number): void => {
    let [node, name] = [given, given.name];
    while (isPassage(node)) {
      node = node.children[0]!;
      name = `${name}/${node.name}`;
    }
    const isFolder = node.children.length > 0;
    const isOpen = isFolder && (folded.get(node.path) ?? (isSearch || depth === 0 || node.children.length === 1));
    rows.push({ node, name, depth, isOpen });
    if (isOpen) for (const child of node.children) visit(child, depth + 1);
  };
  for (const node of tree.children) visit(node, 0);
  return rows;
}

/** A folder that is only on the way to one other folder. */
function isPassage({ children, paths }: TreeNode): boolean {
  const [only] = children;
  return children.length === 1 && only!.children.length > 0 && only!.paths === paths;
}

/** The hottest paths that agents compete for: hand-overs, waiters, forecasts. A quiet hold is no hot spot. */
export function hotSpots(tree: TreeNode, most: number): readonly TreeNode[] {
  const found: TreeNode[] = [];
  const visit = (node: TreeNode): void => {
    const { waiters, handOvers, forecasts, waitedMs } = node.own;
    if (waiters + handOvers + forecasts + waitedMs > 0) found.push(node);
    for (const child of node.children) visit(child);
  };
  visit(tree);
  return found.sort((a, b) => heatOf(b.own) - heatOf(a.own) || (a.path < b.path ? -1 : 1)).slice(0, most);
}

export function filterMarks(marks: readonly PathMark[], text: string): readonly PathMark[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0
    ? marks
    : marks.filter(({ path }) => words.every((word) => path.toLowerCase().includes(word)));
}
