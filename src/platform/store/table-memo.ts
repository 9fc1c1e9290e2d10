/**
 * Rows that every call asks for and few calls change, kept in memory until a statement writes one of their tables.
 *
 *   recall("agents projects", key, read) -> kept, or read and kept
 *   a write that names one of the tables -> all of them forgotten; nothing is kept again before its group is settled
 *
 * Only committed state is kept, so the writer's connection and the reader's may share it. It is exact because the daemon
 * alone writes, every statement of it passes here, and no trigger or cascade writes such a table. Absence is never kept:
 * a caller that makes up keys fills nothing.
 */
export type TableMemo = {
  /** `tables`: their names with spaces between them, always in the same words. */
  recall<T>(tables: string, key: string, read: () => T): T;
  /** A statement is about to change something. */
  writing(text: string): void;
  /** What was written is committed or undone. */
  settled(): void;
  forgetAll(): void;
};

type Shelf = {
  readonly kept: Map<string, unknown>;
  /** Of what is kept: a list counts as many rows as it has. */
  rows: number;
  /** Naming a table is enough: forgetting too much costs a read, too little would be wrong. */
  readonly isWrittenBy: (text: string) => boolean;
  isBeingWritten: boolean;
};

export function createTableMemo({ mostRows = 4_000 } = {}): TableMemo {
  const shelves = new Map<string, Shelf>();
  /** The statements of the group that is not settled yet. */
  const written = new Set<string>();

  function shelfFor(tables: string): Shelf {
    let shelf = shelves.get(tables);
    if (shelf === undefined) {
      shelf = createShelf(tables);
      shelf.isBeingWritten = [...written].some(shelf.isWrittenBy);
      shelves.set(tables, shelf);
    }
    return shelf;
  }

  return {
    recall<T>(tables: string, key: string, read: () => T): T {
      const shelf = shelfFor(tables);
      if (shelf.isBeingWritten) return read();
      const known = shelf.kept.get(key);
      if (known !== undefined) return known as T;
      const found = read();
      if (found === undefined) return found;
      shelf.kept.set(key, found);
      shelf.rows += rowsIn(found);
      while (shelf.rows > mostRows) dropOldest(shelf);
      return found;
    },
    writing(text) {
      written.add(text);
      for (const shelf of shelves.values())
        if (!shelf.isBeingWritten && shelf.isWrittenBy(text)) {
          shelf.isBeingWritten = true;
          empty(shelf);
        }
    },
    settled() {
      if (written.size === 0) return;
      written.clear();
      for (const shelf of shelves.values()) shelf.isBeingWritten = false;
    },
    forgetAll() {
      for (const shelf of shelves.values()) empty(shelf);
    },
  };
}

function createShelf(tables: string): Shelf {
  const names = new RegExp(`\\b(?:INTO|FROM|UPDATE(?: OR \\w+)?)\\s+(?:${tables.replaceAll(" ", "|")})\\b`, "i");
  const answers = new Map<string, boolean>();
  function isWrittenBy(text: string): boolean {
    let answer = answers.get(text);
    if (answer === undefined) answers.set(text, (answer = names.test(text)));
    return answer;
  }
  return { kept: new Map(), rows: 0, isWrittenBy, isBeingWritten: false };
}

function dropOldest(shelf: Shelf): void {
  const [key, found] = shelf.kept.entries().next().value!;
  shelf.kept.delete(key);
  shelf.rows -= rowsIn(found);
}

function empty(shelf: Shelf): void {
  shelf.kept.clear();
  shelf.rows = 0;
}

function rowsIn(found: unknown): number {
  return Array.isArray(found) ? Math.max(1, found.length) : 1;
}
