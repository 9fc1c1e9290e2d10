/** Draws a DAG run again and again in place on a terminal; elsewhere says each change of a node once, as a line. */
import type { Dag } from "../../../contract/index.ts";
import type { Clock } from "../../../platform/clock/index.ts";
import type { Output } from "../output.ts";
import { cutToWidth } from "../runs/live-tree.ts";
import { depthsOf, headLine, nodeLine, nodeLines } from "./render-dag.ts";

export type LiveDag = { show(dag: Dag): void; end(): void };

const redrawMs = 500;
const unknownWidth = 80;
const unknownHeight = 24;

export function createLiveDag(out: Output, stdout: NodeJS.WriteStream, clock: Clock): LiveDag {
  return stdout.isTTY ? redrawn(out, stdout, clock) : spoken(out, clock);
}

function redrawn(out: Output, stdout: NodeJS.WriteStream, clock: Clock): LiveDag {
  let drawn = 0;
  let last: Dag | undefined;
  const draw = (): void => {
    if (last === undefined) return;
    if (drawn > 0) stdout.write(`\u001b[${drawn}A\u001b[J`);
    const room = (stdout.rows || unknownHeight) - 3;
    const lines = [headLine(last, clock.now(), out), ...nodeLines(last, clock.now(), out, room)];
    for (const line of lines) out.line(cutToWidth(line, stdout.columns || unknownWidth));
    drawn = lines.length;
  };
  // Its times run on between two events.
  const tick = (): void => {
    draw();
    timer = clock.after(redrawMs, tick);
  };
  let timer = clock.after(redrawMs, tick);
  return {
    show(dag) {
      last = dag;
      draw();
    },
    end() {
      timer.cancel();
      drawn = 0;
    },
  };
}

function spoken(out: Output, clock: Clock): LiveDag {
  const said = new Map<string, string>();
  return {
    show(dag) {
      const depths = depthsOf(dag.nodes);
      for (const node of dag.nodes) {
        const state = `${node.state} ${node.attempt}`;
        if (node.state === "pending" || node.state === "queued" || said.get(node.name) === state) continue;
        said.set(node.name, state);
        out.line(nodeLine(node, depths.get(node.name) ?? 0, clock.now(), out));
      }
    },
    end() {},
  };
}
