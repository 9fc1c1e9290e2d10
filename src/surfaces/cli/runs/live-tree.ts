/** Draws a run again and again in place on a terminal; elsewhere says each change once, as a line. */
import type { Run } from "../../../contract/index.ts";
import type { Output } from "../output.ts";
import { planLines, treeLines } from "./render-run.ts";

export type LiveTree = { show(run: Run): void; end(): void };

export function createLiveTree(out: Output, stdout: NodeJS.WriteStream): LiveTree {
  return stdout.isTTY ? redrawn(out, stdout) : spoken(out);
}

function redrawn(out: Output, stdout: NodeJS.WriteStream): LiveTree {
  let drawn = 0;
  let planned = false;
  return {
    show(run) {
      if (drawn > 0) stdout.write(`\u001b[${drawn}A\u001b[J`);
      if (!planned && run.plan !== undefined) {
        planned = true;
        for (const line of planLines(run, out)) out.line(line);
      }
      const lines = treeLines(run, out).flatMap((line) => line.split("\n"));
      for (const line of lines) out.line(line.slice(0, Math.max(20, stdout.columns + 40)));
      drawn = lines.length;
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
    end() {},
  };
}
