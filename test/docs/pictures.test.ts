/** The pictures of the documentation show what the program prints today. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { noSandbox } from "../../src/adapters/confinement/testkit.ts";
import { repositoryRoot } from "../flows/run-sylk.ts";
import { hasTerminal, noTerminal } from "../flows/terminal.ts";
import { drawSvg } from "./draw-svg.ts";
import { recordRun, runPicture } from "./record-run.ts";
import { screenOf, textOf } from "./screen.ts";
import { steadyOutput } from "./steady-output.ts";

it("the README's picture is what a terminal shows of its commands", async ({ skip }) => {
  skip(!hasTerminal(), noTerminal);
  skip(noSandbox !== "", noSandbox);
  expect(readFileSync(join(repositoryRoot, "README.md"), "utf8")).toContain(`](${runPicture})`);
  const kept = readFileSync(join(repositoryRoot, runPicture), "utf8");
  // Two engineers begin at the same moment: which of them gets which name is chance.
  const nameless = (svg: string): string => svg.replaceAll(/\b(lynx|wren)\b/g, "name");
  expect(nameless(await recordRun()), '"npm run screenshots" records it anew').toBe(nameless(kept));
});

it("each page shows pictures that are there, with words for readers who do not see them, and each picture is shown", () => {
  const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: repositoryRoot })];
  const shown = pages.flatMap((page) => {
    const text = readFileSync(join(repositoryRoot, page), "utf8");
    return [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, words, file]) => {
      expect(words!.length, `${page}: ${file}`).toBeGreaterThan(20);
      return join(dirname(page), file!);
    });
  });
  expect([...new Set(shown)].toSorted()).toEqual(globSync("docs/images/*", { cwd: repositoryRoot }).toSorted());
});

describe("a screen", () => {
  const screens: readonly [string, string, string][] = [
    ["a line that is drawn again", "one\r\ntwo\r\n\u001b[2A\u001b[Jthree\r\n", "three"],
    ["progress that is erased", "working\r\u001b[Kdone\r\n", "done"],
    ["a line longer than the terminal", "0123456789ab\r\n", "0123456789\nab"],
    ["a line as long as the terminal", "0123456789\r\nab", "0123456789\nab"],
    ["marks of the shell and of its title", "\u001b]133;D;0\u0007$ \u001b]0;title\u001b\\ls", "$ ls"],
    ["a tab and a character taken back", "a\tbc\b\u001b[K!", "a       b!"],
  ];
  it.each(screens)("shows %s", (_, output, text) => {
    expect(textOf(screenOf(output, 10))).toBe(text);
  });

  it("keeps colours, also over others that end", () => {
    const [line] = screenOf("\u001b[1mbold\u001b[22m \u001b[32m\u001b[2mdim green\u001b[22m green\u001b[39m plain", 80);
    expect(line).toEqual([
      { text: "bold", style: { bold: true } },
      { text: " ", style: {} },
      { text: "dim green", style: { colour: "green", dim: true } },
      { text: " green", style: { colour: "green" } },
      { text: " plain", style: {} },
    ]);
  });

  it("is drawn with its characters escaped, each piece at its column", () => {
    const svg = drawSvg(screenOf("\u001b[31ma<b\u001b[39m &c", 80), { columns: 80, title: "A & B" });
    expect(svg).toContain("<title>A &amp; B</title>");
    expect(svg).toMatch(/<text x="16" [^>]*class="red">a&lt;b<\/text>/);
    expect(svg).toMatch(/<text x="49.6" [^>]*>&amp;c<\/text>/);
  });
});

it("ids of a recording become others of the same length, the same wherever they are repeated", () => {
  const [a, b] = ["run_01m7p3dv7q4vthr6k9xy0r", "agt_01m7p3dv7q4vthr6k9xy0s"];
  const steady = steadyOutput(`${a} \u001b[2m${b}\u001b[22m x${a} ${a}`);
  expect(steady).toBe(
    `run_01m7gc4atgrpkvd1j6vw00 \u001b[2magt_01m7gc4atgrpkvd1j6vw01\u001b[22m x${a} run_01m7gc4atgrpkvd1j6vw00`,
  );
});
