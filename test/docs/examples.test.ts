/** The README and every page of docs/ keep their word: what they mark as runnable is typed, and prints what they say. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repositoryRoot } from "../flows/run-sylk.ts";
import { readExamples, unexplainedBlocks } from "./read-examples.ts";
import { runPage } from "./run-page.ts";

const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: repositoryRoot }).toSorted()]
  .map((path) => ({ path, text: readFileSync(join(repositoryRoot, path), "utf8") }))
  .filter(({ text }) => readExamples(text).length > 0);

describe.concurrent("the examples", () => {
  it.each(pages)("of $path run and print what it says [CORE-28]", async (page) => {
    expect(await runPage(page)).toBeUndefined();
  });

  it("are run on the pages a reader begins with", () => {
    const begun = ["README.md", "docs/daemon.md", "docs/getting-started.md", "docs/running-requests.md"];
    expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(begun));
  });

  it("of the README run, or say why not [CORE-28]", () => {
    expect(unexplainedBlocks(readFileSync(join(repositoryRoot, "README.md"), "utf8"))).toEqual([]);
  });
});

describe.concurrent("a page is wrong", () => {
  const wrongs: readonly [string, string, RegExp][] = [
    ["a command that does not exist", "```sh runnable\nsylk stauts\n```", /page\.md:2: sylk stauts\n {2}ends with 2/],
    ["a failure in the middle of a script", "```sh runnable\nfalse\ntrue\n```", /ends with 1, not 0/],
    ["another exit code", "```sh runnable exit=4\nsylk claim wrk_0000000000000000000000\n```", /ends with 3, not 4/],
    ["other output", "```console runnable\n$ echo two\nthree\n```", /page\.md:2: echo two\n {2}the page says "three"/],
    ["a line too much", "```sh runnable\necho one; echo two\n```\n\n```text output\none\n```", /also prints "two"/],
    ["a line too few", "```console runnable\n$ echo one\none\ntwo\n```", /never prints "two"/],
    [
      "another id where it repeats one",
      "```console runnable\n$ echo wrk_0000000000000000000001\nwrk_01m7gc4atgrpkvd1j6vwsb\n$ echo wrk_0000000000000000000002\nwrk_01m7gc4atgrpkvd1j6vwsb\n```",
      /the page says "wrk_01m7gc4atgrpkvd1j6vwsb"/,
    ],
  ];
  it.each(wrongs)("for %s [CORE-28]", async (_, text, wrong) => {
    expect(await runPage({ path: "page.md", text })).toMatch(wrong);
  });

  it("for a shell block that is neither run nor excused, or excused without a reason", () => {
    const text =
      "```sh\na\n```\n\n<!-- not run: needs a phone -->\n\n```sh\nb\n```\n\n<!-- not run: -->\n\n```sh\nc\n```";
    expect(unexplainedBlocks(text)).toEqual([1, 13]);
  });
});

it("lets ids, times and places differ, and continues with the ids that were really made", async () => {
  const text = [
    "```console runnable",
    "$ id=wrk_0000000000000000000001; echo $id took 12 ms in $SYLK_HOME by $(id -un)",
    "wrk_01m7gc4atgrpkvd1j6vwsb took 3 s in /home/ada/.sylk by ada",
    "$ test wrk_01m7gc4atgrpkvd1j6vwsb = $id; cd src; false",
    "$ echo $?",
    "1",
    "$ printf 'a\\nb\\nc\\n' > ../list; basename $PWD; cat ../list",
    "src",
    "…",
    "c",
    "$ cat <<END",
    "> two words",
    "> END",
    "two …",
    "```",
  ].join("\n");
  expect(await runPage({ path: "page.md", text })).toBeUndefined();
});
