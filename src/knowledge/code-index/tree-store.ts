/** A working tree as a thin overlay: which content each of its paths has, and which paths are left out of the index. */
import type { DerivedFile } from "../../platform/store/index.ts";

/** A content that is wanted and not read yet, with a path that has it. */
export type WaitingContent = {
  readonly blob: number;
  readonly hash: string;
  readonly path: string;
};
export type LeftOut = { readonly path: string; readonly reason: string };

export function createTreeStore(sql: DerivedFile, now: () => number) {
  const paths = new Map<string, number>();

  function pathId(text: string): number {
    const known = paths.get(text);
    if (known !== undefined) return known;
    sql.run("INSERT OR IGNORE INTO path (text) VALUES (?)", text);
    const id = sql.get("SELECT id FROM path WHERE text = ?", text)!.id as number;
    paths.set(text, id);
    return id;
  }

  /** A content that a path gives up counts as seen until now. */
  function release(tree: number, path: number): void {
    sql.run(
      "UPDATE blob SET seen_at = ? WHERE id = (SELECT blob FROM tree_file WHERE tree = ? AND path = ?)",
      now(),
      tree,
      path,
    );
  }

  return {
    open(path: string): number {
      sql.run(
        "INSERT INTO tree (path, used_at) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET used_at = excluded.used_at",
        path,
        now(),
      );
      return sql.get("SELECT id FROM tree WHERE path = ?", path)!.id as number;
    },
    /** Path to content, of all its files. */
    files(
      tree: number,
    ): ReadonlyMap<string, { readonly blob: number; readonly hash: string; readonly variant: string }> {
      const rows = sql.all(
        `SELECT p.text AS path, b.id AS blob, hex(b.hash) AS hash, b.variant FROM tree_file f
         JOIN path p ON p.id = f.path JOIN blob b ON b.id = f.blob WHERE f.tree = ?`,
        tree,
      );
      return new Map(
        rows.map((row) => [
          row.path as string,
          { blob: row.blob as number, hash: (row.hash as string).toLowerCase(), variant: row.variant as string },
        ]),
      );
    },
    /** Left out by its path: a link, a submodule, a file that cannot be read. */
    skipped(tree: number): readonly LeftOut[] {
      return sql.all(
        "SELECT p.text AS path, s.reason FROM tree_skip s JOIN path p ON p.id = s.path WHERE s.tree = ?",
        tree,
      ) as unknown as readonly LeftOut[];
    },
    /** Those, and what is left out by its content. */
    leftOut(tree: number): readonly LeftOut[] {
      return sql.all(
        `SELECT p.text AS path, s.reason FROM tree_skip s JOIN path p ON p.id = s.path WHERE s.tree = ?
         UNION ALL
         SELECT p.text, b.reason FROM blob b JOIN tree_file f ON f.tree = ? AND f.blob = b.id JOIN path p ON p.id = f.path
         WHERE b.state = 'left-out' ORDER BY 1`,
        tree,
        tree,
      ) as unknown as readonly LeftOut[];
    },
    set(tree: number, path: string, blob: number): void {
      const id = pathId(path);
      release(tree, id);
      sql.run("DELETE FROM tree_skip WHERE tree = ? AND path = ?", tree, id);
      sql.run("INSERT OR REPLACE INTO tree_file VALUES (?, ?, ?)", tree, id, blob);
    },
    skip(tree: number, path: string, reason: string): void {
      const id = pathId(path);
      release(tree, id);
      sql.run("DELETE FROM tree_file WHERE tree = ? AND path = ?", tree, id);
      sql.run("INSERT OR REPLACE INTO tree_skip VALUES (?, ?, ?)", tree, id, reason);
    },
    remove(tree: number, path: string): void {
      const id = pathId(path);
      release(tree, id);
      sql.run("DELETE FROM tree_file WHERE tree = ? AND path = ?", tree, id);
      sql.run("DELETE FROM tree_skip WHERE tree = ? AND path = ?", tree, id);
    },
    /** Contents of the tree that wait to be read, each once. */
    waiting(tree: number): readonly WaitingContent[] {
      return sql.all(
        `SELECT b.id AS blob, lower(hex(b.hash)) AS hash, min(p.text) AS path FROM blob b
         JOIN tree_file f ON f.tree = ? AND f.blob = b.id JOIN path p ON p.id = f.path
         WHERE b.state = 'waiting' GROUP BY b.id ORDER BY 3`,
        tree,
      ) as unknown as readonly WaitingContent[];
    },
    /** Paths, not contents: what a person counts. */
    counts(tree: number): { readonly files: number; readonly waiting: readonly string[] } {
      const files = sql.get("SELECT count(*) AS n FROM tree_file WHERE tree = ?", tree)!.n as number;
      const waiting = sql.all(
        `SELECT p.text AS path FROM blob b JOIN tree_file f ON f.tree = ? AND f.blob = b.id JOIN path p ON p.id = f.path
         WHERE b.state = 'waiting' ORDER BY 1`,
        tree,
      );
      return { files, waiting: waiting.map(({ path }) => path as string) };
    },
    /** Trees that were not asked about since then, or are not there any more. */
    forget(isGone: (path: string, usedAt: number) => boolean): number {
      const gone = sql
        .all("SELECT id, path, used_at FROM tree")
        .filter((row) => isGone(row.path as string, row.used_at as number));
      for (const { id } of gone)
        for (const [table, column] of [
          ["tree_file", "tree"],
          ["tree_skip", "tree"],
          ["tree", "id"],
        ] as const)
          sql.run(`DELETE FROM ${table} WHERE ${column} = ?`, id!);
      return gone.length;
    },
  };
}
export type TreeStore = ReturnType<typeof createTreeStore>;
