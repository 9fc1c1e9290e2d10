import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { writtenByShell } from "./written-by-shell.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "linked-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(join(root, "src"));
mkdirSync(join(root, "links"));
writeFileSync(join(root, "src", "a.ts"), "");
symlinkSync("../src/a.ts", join(root, "links", "a.ts"));
writeFileSync(join(root, "one.ts"), "");
linkSync(join(root, "one.ts"), join(root, "other.ts"));

const patterns = (command: string): readonly string[] => writtenByShell(command, root)?.patterns ?? [];

it.each([
  "echo >> links/*.ts",
  'for f in links/*; do : > "$f"; done',
  "find links -name '*.ts' -exec truncate -s 0 {} +",
])("asks for the file behind a link that a glob names: %s", (command) => {
  expect(patterns(command)).toContain(join(root, "src", "a.ts"));
});

it.each(["rm links/*.ts", "rm -rf links", "cat links/*"])("leaves the file behind a link out: %s", (command) => {
  expect(patterns(command)).not.toContain(join(root, "src", "a.ts"));
});

it("says that a written file has another name", () => {
  expect(writtenByShell("echo > other.ts", root)?.unknown).toEqual([
    `${join(root, "other.ts")}: the file has another name, a hard link`,
  ]);
  expect(writtenByShell("rm other.ts", root)?.unknown).toEqual([]);
  expect(writtenByShell("echo > src/a.ts", root)?.unknown).toEqual([]);
});
