/** `sylk` alone, help, aliases, -C: the words that a person remembers. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandTable } from "../../src/surfaces/cli/command-table.ts";
import { aliases } from "../../src/surfaces/cli/other-words.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";

let daemon: ScratchDaemon;
beforeAll(async () => void (daemon = await openScratchDaemon()));
afterAll(() => daemon[Symbol.asyncDispose]());

const plumbing = commandTable.filter(({ group }) => group === "Plumbing").map(({ words }) => words);
const listed = (text: string): readonly string[] =>
  [...text.matchAll(/^ {2}(\S+(?: \S+)?) {2,}\S/gm)].map(([, words]) => words!);

describe("help", () => {
  it("alone shows the commands of a day in the order of use, on a screen of 80 by 24 [CORE-29]", async () => {
    const { code, stdout } = await daemon.sylk([]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(listed(stdout)).toEqual(
      "install doctor who dashboard reserve ready claim mail_inbox run runs approvals approve diff merge"
        .split(" ")
        .map((word) => word.replace("_", " ")),
    );
    expect(lines.filter((line) => /^\w/.test(line)).slice(1, 6)).toEqual([
      "Start",
      "See",
      "Work together",
      "Run",
      "Settle",
    ]);
    expect(lines.at(-1)).toContain("sylk help --all");
  });

  it("--all shows every command but the plumbing, by group, in 80 columns [CORE-29, CORE-30]", async () => {
    const { stdout } = await daemon.sylk(["help", "--all"], { env: { COLUMNS: "" } });
    expect(listed(stdout).toSorted()).toEqual(
      commandTable.flatMap(({ words }) => (plumbing.includes(words) ? [] : [words])).toSorted(),
    );
    for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(plumbing).toEqual(expect.arrayContaining(["serve", "statusline", "mcp", "guard write", "health report"]));
    const reference = readFileSync(join(import.meta.dirname, "../../docs/reference/commands.md"), "utf8");
    for (const words of plumbing) expect(reference).toContain(`## sylk ${words}\n`);
  });

  it("of a word is its --help, also of an alias, which names the usual word [CORE-29]", async () => {
    for (const words of [["claim"], ["work", "add"], ["run", "list"]])
      expect((await daemon.sylk(["help", ...words])).stdout).toBe((await daemon.sylk([...words, "--help"])).stdout);
    for (const [alias, words] of Object.entries(aliases)) {
      const { stdout } = await daemon.sylk([...alias.split(" "), "--help"]);
      expect(stdout.replaceAll(/\s+/g, " ")).toContain(`"sylk ${alias}" is another word for "sylk ${words}".`);
    }
    for (const words of ["dag answer", "run answer"])
      expect((await daemon.sylk([...words.split(" "), "--help"])).stdout).toContain('Another word for "sylk approve"');
    expect((await daemon.sylk(["branch", "merge", "--help"])).stdout).toContain('Another word for "sylk merge');
  });

  it("says in one line how verbs differ that sound alike [CORE-29]", async () => {
    for (const word of ["unclaim", "release", "free"]) {
      const said = (await daemon.sylk([word, "--help"])).stdout.replaceAll(/\s+/g, " ");
      expect(said).toContain(
        "unclaim gives up a work item and keeps its status; release gives it up and reopens it; free",
      );
    }
  });
});

it("an alias does what its command does [CORE-29]", async () => {
  expect((await daemon.sylk(["run", "list"])).stdout).toBe((await daemon.sylk(["runs"])).stdout);
  expect((await daemon.sylk(["agents", "--json"])).code).toBe(0);
});

it("-C is as in git: before or after the words, several add up, and a leading --json stays [CORE-29]", async () => {
  const other = join(daemon.root, "elsewhere", "deep");
  mkdirSync(other, { recursive: true });
  const pathOf = async (...words: string[]) => {
    const { stdout, stderr } = await daemon.sylk(words);
    expect(stderr).toBe("");
    return (JSON.parse(stdout) as { workItem: { title: string } }).workItem.title;
  };
  expect(await pathOf("-C", join(daemon.root, "elsewhere"), "-C", "deep", "work", "add", "one", "--json")).toBe("one");
  expect(await pathOf("--json", "work", "add", "two", "-C", other)).toBe("two");
  const listedThere = await daemon.sylk(["work", "list", "-C", other]);
  expect(listedThere.stdout).toContain("one");
  expect(listedThere.stdout).toContain("two");
  expect((await daemon.sylk(["work", "list"])).stdout).toContain("No work items here");
});

describe("completion", () => {
  const complete = async (...typed: string[]) =>
    (await daemon.sylk(["__complete", "--", ...typed])).stdout.trimEnd().split("\n");

  it("offers no plumbing and knows help and -C [CORE-29]", async () => {
    expect(await complete("s")).not.toContain("statusline");
    expect(await complete("he")).toEqual(["health", "help"]);
    expect(await complete("help", "cl")).toEqual(["claim", "close"]);
    expect(await complete("-C", "..", "clai")).toEqual(["claim"]);
    expect(await complete("config", "")).toEqual(["distrust", "get", "set", "show", "trust", "unset"]);
  });
});

describe("config set", () => {
  const file = () => join(daemon.paths.home, "config.yaml");

  it("changes one value, keeps comments and layout, and says file and former value [CORE-29]", async () => {
    const text = "# mine\nlog:\n  keep: 5   # five\n\nhttp: { port: 7400 }\n";
    writeFileSync(file(), text);
    const set = await daemon.sylk(["config", "set", "log.keep", "7"]);
    expect(set.stdout).toBe(`log.keep is 7 in ${file()}; it was 5\n`);
    expect(readFileSync(file(), "utf8")).toBe(text.replace("keep: 5 ", "keep: 7 "));
    expect((await daemon.sylk(["config", "get", "log.keep"])).stdout).toBe("7\n");
    const unset = await daemon.sylk(["config", "unset", "log.keep"]);
    expect(unset.stdout).toBe(`log.keep is removed from ${file()}; it was 7\n`);
    expect(readFileSync(file(), "utf8")).toBe("\n# mine\nhttp: { port: 7400 }\n");
    expect((await daemon.sylk(["config", "get", "log.keep", "--json"])).stdout).toContain('"origin": "default"');
  });

  it("leaves a file alone that it would make wrong, or that is wrong [CORE-29]", async () => {
    const text = "log:\n  keep: many\n";
    writeFileSync(file(), text);
    const { code, stderr } = await daemon.sylk(["config", "set", "http.port", "7401"]);
    expect([code, readFileSync(file(), "utf8")]).toEqual([2, text]);
    expect(stderr).toContain("log.keep must be a whole number");
    writeFileSync(file(), "");
  });

  it("refuses what needs consent: looser values in a project's file, and an agent's of any file [CORE-29, CORE-38]", async () => {
    const project = join(daemon.repository, ".sylk", "config.yaml");
    const loose = await daemon.sylk(["config", "set", "reservations.ttlMs", "1000", "--project"]);
    expect([loose.code, loose.stdout]).toEqual([2, ""]);
    expect(loose.stderr).toContain("reservations.ttlMs = 1000 is looser than 300000");
    expect(loose.stderr).toContain("sylk config trust");
    expect(() => readFileSync(project)).toThrow("ENOENT");
    const agents = await daemon.sylk(["config", "set", "reservations.ttlMs", "1000"], { env: { SYLK_AGENT: "heron" } });
    expect(agents.code).toBe(8);
    expect(agents.stderr).toContain("an agent cannot loosen a guard");
    const tight = await daemon.sylk(["config", "set", "reservations.ttlMs", "600000", "--project"]);
    expect(tight).toMatchObject({ code: 0 });
    expect(readFileSync(project, "utf8")).toBe("reservations:\n  ttlMs: 600000\n");
  });
});
