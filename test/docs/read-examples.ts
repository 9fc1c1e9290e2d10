/**
 * The examples of a page that say of themselves that they run, in the order of the page.
 *
 *   ```console runnable              a transcript: `$ command`, `> more of it`, then what it prints
 *   ```sh runnable                   a script; what it prints may follow as ```text output
 *   ... runnable exit=4              ends with another exit code than 0
 *   ... runnable unordered           the lines come in any order, others may come between them
 *   ... runnable names=heron,otter   words that differ from run to run
 *
 * Blocks marked `walk` instead are typed on a terminal, in repositories that are not ours (read-walk.ts). A shell block of
 * the README that is not marked needs its reason on the line before it: `<!-- not run: reason -->`.
 */
export type Example = {
  /** Line of the command in the page. */
  readonly line: number;
  readonly command: string;
  /** Undefined: whatever it prints is right. */
  readonly output: readonly string[] | undefined;
  readonly exitCode: number;
  readonly unordered: boolean;
  readonly names: readonly string[];
};

export type Block = {
  readonly line: number;
  readonly language: string;
  readonly words: readonly string[];
  readonly lines: readonly string[];
  /** The nearest line before it that is not empty. */
  readonly before: string;
};

const shells = new Set(["sh", "bash", "shell", "console"]);

export function readExamples(page: string): readonly Example[] {
  const blocks = readBlocks(page);
  return blocks.flatMap((block, index) => {
    if (!block.words.includes("runnable")) return [];
    return examplesOf(block, blocks[index + 1]);
  });
}

export function examplesOf(block: Block, next: Block | undefined): readonly Example[] {
  if (block.language === "console") return transcriptOf(block);
  if (!shells.has(block.language)) throw new Error(`line ${block.line}: only sh and console blocks can be run`);
  const output = next?.words[0] === "output" ? next.lines : undefined;
  return [{ ...termsOf(block), line: block.line + 1, command: block.lines.join("\n"), output }];
}

/** Shell blocks that neither run nor say why not. */
export function unexplainedBlocks(page: string): readonly number[] {
  const silent = readBlocks(page).filter(
    ({ language, words, before }) =>
      shells.has(language) &&
      !words.includes("runnable") &&
      !words.includes("walk") &&
      !/^<!-- not run: \S.* -->$/.test(before),
  );
  return silent.map(({ line }) => line);
}

export function readBlocks(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let before = "";
  let open: { line: number; info: string; lines: string[]; before: string } | undefined;
  for (const [index, line] of page.split("\n").entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (open === undefined) {
      if (fence !== null) open = { line: index + 1, info: fence[1]!.trim(), lines: [], before };
      if (line.trim() !== "") before = line.trim();
    } else if (fence === null) open.lines.push(line);
    else {
      const [language = "", ...words] = open.info.split(/\s+/);
      blocks.push({ line: open.line, language, words, lines: open.lines, before: open.before });
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`the block that begins in line ${open.line} does not end`);
  return blocks;
}

function transcriptOf(block: Block): readonly Example[] {
  const steps: { line: number; command: string; output: string[] }[] = [];
  for (const [index, line] of block.lines.entries()) {
    const last = steps.at(-1);
    if (line.startsWith("$ ")) steps.push({ line: block.line + 1 + index, command: line.slice(2), output: [] });
    else if (last === undefined) throw new Error(`line ${block.line}: a transcript begins with "$ command"`);
    else if (line.startsWith("> ") && last.output.length === 0) last.command += `\n${line.slice(2)}`;
    else last.output.push(line);
  }
  return steps.map((step) => ({ ...termsOf(block), ...step }));
}

function termsOf({ words }: Block): Pick<Example, "exitCode" | "unordered" | "names"> {
  return {
    exitCode: Number(valueOf(words, "exit") ?? 0),
    unordered: words.includes("unordered"),
    names: valueOf(words, "names")?.split(",") ?? [],
  };
}

/** What follows `name=` after the language of a block. */
export function valueOf(words: readonly string[], name: string): string | undefined {
  return words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}
