/** A scratch folder for tests that need a real database file; removes itself at the end of its `using` block. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type ScratchFolder = Disposable & {
  readonly path: string;
  /** Every byte in it, as text: to look for what must not be there. */
  content(): string;
};

export function scratchFolder(): ScratchFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "sylk-scratch-")));
  return {
    path,
    content: () =>
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
        .join("\n"),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
