/** A tree as questions see it, and what an answer rests on. */
import type { CodeAbout } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { DerivedFile } from "../../platform/store/index.ts";
import type { IndexGit, Matcher, MeasureTokens, Parser } from "./ports.ts";

export type View = {
  readonly sql: DerivedFile;
  readonly tree: number;
  /** Folder of the tree. */
  readonly root: string;
};
export type QuestionPorts = {
  readonly matcher: Matcher;
  readonly measure: MeasureTokens;
  readonly pause: () => Promise<void>;
  readonly git: IndexGit;
  readonly parser: Parser;
  readonly clock: Pick<Clock, "monotonic">;
};
/** An answer before it says of which tree it speaks; `failed` and `notes` come after those of the tree. */
export type Rests = Pick<CodeAbout, "provider" | "confidence"> & Partial<Pick<CodeAbout, "failed" | "notes">>;
export type Answered<Fields> = Fields & { readonly rests: Rests };

export type FileRow = {
  readonly path: string;
  readonly blob: number;
  readonly language: string;
  readonly lines: number;
};

/** The files that are indexed, by path. */
export function filesOf({ sql, tree }: View): readonly FileRow[] {
  return sql.all(
    `SELECT p.text AS path, b.id AS blob, b.language, b.lines FROM tree_file f JOIN path p ON p.id = f.path
     JOIN blob b ON b.id = f.blob WHERE f.tree = ? AND b.state = 'indexed' ORDER BY 1`,
    tree,
  ) as unknown as readonly FileRow[];
}
