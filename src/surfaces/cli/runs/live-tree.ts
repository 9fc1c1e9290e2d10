/** Draws a run again and again in place on a terminal; elsewhere says each change once, as a line. */
import type { Run } from "../../../contract/index.ts";
import { cutAtEnd, displayWidth } from "../display-width.ts";
import type { Output } from "../output.ts";
import { asksForApproval, planLines, treeLines } from "./render-run.ts";

export type LiveTree = {
  show(run: Run): void;
  /** A line that stays. */
  say(line: string): void;
  end(): void;
};

/** `isPlanShown`: the person has just seen the plan, with the question about it. */
export function createLiveTree(
  out: Output,
  stdout: NodeJS.WriteStream,
  { isPlanShown = false }: { readonly isPlanShown?: boolean } = {},
): LiveTree {
  return stdout.isTTY ? redrawn(out, stdout, isPlanShown) : spoken(out);
}

/** A terminal that does not tell its width, such as a recorded one. */
const unknownWidth = 80;
const unknownHeight = 24;

/** A line that wraps would be two when it is taken away again. Colours take no room and are kept, so that they end. */
export function cutToWidth(line: string, width: number): string {
  if (displayWidth(line) <= width) return line;
  let room = width;
  const parts = line.split(/(\u001b\[\d+m)/).map((part, index) => {
    if (index % 2 === 1 || room === 0) return index % 2 === 1 ? part : "";
    const shown = cutAtEnd(part, room);
    room = shown === part ? room - displayWidth(part) : 0;
    return shown;
  });
  return parts.join("");
}

function redrawn(out: Output, stdout: NodeJS.WriteStream, isPlanShown: boolean): LiveTree {
  let drawn = 0;
  let planned = isPlanShown;
  return {
    show(run) {
      if (drawn > 0) stdout.write(`\u001b[${drawn}A\u001b[J`);
      // A plan that waits for a decision is shown with the question.
      if (!planned && run.plan !== undefined && !asksForApproval(run)) {
        planned = true;
        for (const line of planLines(run, out)) out.line(line);
      }
      // What has scrolled out of sight cannot be drawn again.
      const room = (stdout.rows || unknownHeight) - 1;
      const lines = treeLines(run, out)
        .flatMap((line) => line.split("\n"))
        .slice(0, room);
      for (const line of lines) out.line(cutToWidth(line, stdout.columns || unknownWidth));
      drawn = lines.length;
    },
    say(line) {
      if (drawn > 0) stdout.write(`\u001b[${drawn}A\u001b[J`);
      drawn = 0;
      out.line(line);
    },
    end() {
      drawn = 0;
    },
  };
}

function spoken(out: Output): LiveTree {
  const said = new Set<string>();
  const say = (line: string): void => {
    if (said.has(line)) return;
    said.add(line);
    out.line(line);
  };
  return {
    show(run) {
      planLines(run, out).forEach(say);
      for (const line of treeLines(run, out).slice(1)) if (!line.includes("·")) say(line);
    },
    say,
    end() {},
  };
}
