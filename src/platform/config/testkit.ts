/** Scratch folders for the tests of this folder; each removes itself at the end of its `using` block. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ScratchFolder extends Disposable {
  readonly path: string;
  /** Writes a file and gives its path. */
  file(name: string, content: string | Uint8Array): string;
}

export function scratchFolder(): ScratchFolder {
  const path = mkdtempSync(join(tmpdir(), "sylk-config-"));
  const file: ScratchFolder["file"] = (name, content) => {
    writeFileSync(join(path, name), content);
    return join(path, name);
  };
  return { path, file, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
