/**
 * Random trees of folders, files and links. The truth is the kernel's: two spellings are one file when both open the same
 * one. Held by one spelling, each other spelling of that file has to conflict, and no spelling of another file may.
 */
import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { operations, parseInput } from "../../contract/index.ts";
import { acquireReservation, checkPaths, releaseReservation, resolveByDisk } from "../reservations/index.ts";
import { repository, scratchPorts } from "../testkit.ts";

const names = ["a", "b", "c\u00e9", "ce\u0301"];
const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
const spelled = fc
  .array(fc.constantFrom(...names, ...names, ".", ".."), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join("/"));
const link = fc.record({ at: path, to: fc.array(fc.constantFrom(...names, ".."), { minLength: 1, maxLength: 3 }) });
const world = fc.record({
  files: fc.array(path, { minLength: 1, maxLength: 5 }),
  links: fc.array(link, { maxLength: 4 }),
  spellings: fc.array(spelled, { minLength: 2, maxLength: 8 }),
});

it("conflicts for any two spellings of one file, and for none of two different files [RSV-18]", async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ files, links, spellings }) => {
      using scratch = scratchPorts();
      const ports = { ...scratch, resolveName: resolveByDisk };
      const tree = repository(ports.folder, "shop");
      const [heron, otter] = [await ports.caller("heron", tree), await ports.caller("otter", tree)];
      const made = heron.caller.tree;
      for (const file of files) attempt(() => writeTree(made, file));
      for (const { at, to } of links) attempt(() => linkIn(made, at, to.join("/")));
      const all = [...new Set([...spellings, ...files.map((file) => file.join("/"))])];
      const found = all.flatMap((text) => {
        const inode = fileAt(made, text);
        return inode === undefined ? [] : [{ text, inode }];
      });
      for (const { text, inode } of found) {
        const input = parseInput(operations["reservation.acquire"], { paths: [text] });
        const { reservation } = await acquireReservation(input, heron, ports);
        const { items } = await checkPaths({ paths: found.map((one) => one.text) }, otter.caller, ports);
        expect([text, items.map(({ state }) => state)]).toEqual([
          text,
          found.map((one) => (one.inode === inode ? "taken" : "free")),
        ]);
        await releaseReservation(reservation.id, heron, ports);
      }
      rmSync(made, { recursive: true, force: true });
    }),
    { numRuns: 60 },
  );
});

function writeTree(tree: string, file: readonly string[]): void {
  mkdirSync(join(tree, ...file.slice(0, -1)), { recursive: true });
  writeFileSync(join(tree, ...file), file.join("/"), { flag: "wx" });
}

function linkIn(tree: string, at: readonly string[], to: string): void {
  mkdirSync(join(tree, ...at.slice(0, -1)), { recursive: true });
  symlinkSync(to, join(tree, ...at));
}

/** The number of the file that this spelling opens, if it is a file of the tree. */
function fileAt(tree: string, text: string): number | undefined {
  try {
    const found = statSync(`${tree}/${text}`, { throwIfNoEntry: false });
    return found?.isFile() === true ? found.ino : undefined;
  } catch {
    return undefined; // links in a circle, a file where a folder should be
  }
}

/** Some of a random tree cannot be made, such as a folder where a file is. */
function attempt(make: () => void): void {
  try {
    make();
  } catch {
    // it is not part of this tree
  }
}
