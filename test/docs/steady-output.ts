/**
 * Output that is the same each time it is recorded: ids by others of their kind, numbered in the order of their appearance,
 * names of branches by one, and the scratch folder by a home. Each is as long as what it replaces, and it is done before anything is laid out,
 * because an id or a path may be broken over two lines.
 */

/** Where scratch folders of recordings are, on every machine: what fits a line must not depend on it. */
export const recordingFolder = "/tmp";
const folder = /\/tmp\/sy-\w{0,6}/g;
const home = "/home/lovelace";

/** At the beginning of a word, or after the letter that ends a change of colour. */
const id = /(?<![\da-ln-z_]|(?<!\u001b\[\d+)m)[a-z]{3}_[\da-z]{22}\b/g;

export function steadyOutput(output: string): string {
  const ids = new Map<string, string>();
  const numbered = output.replaceAll(id, (found) => {
    if (!ids.has(found)) ids.set(found, `${found.slice(0, 4)}01m7gc4atgrpkvd1j6vw${String(ids.size).padStart(2, "0")}`);
    return ids.get(found)!;
  });
  return numbered
    .replaceAll(folder, (found) => home.slice(0, found.length))
    .replaceAll(/\bsylk\/run-[\da-z]{8}\b/g, "sylk/run-pkvd1j6v");
}
