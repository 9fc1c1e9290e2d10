/**
 * A view that owns the whole terminal while it is shown: its own screen, no cursor, single keys. Leaving it, by whatever way,
 * brings back the screen, the cursor and the line input of before.
 */
import { systemClock, type Timer } from "../../../platform/clock/index.ts";

export type LiveScreen = {
  /** Draws now, and again whenever the size of the window changes or a second has passed. */
  show(draw: () => readonly string[]): void;
  close(): void;
};

const redrawMs = 1_000;
const enter = "\u001b[?1049h\u001b[?25l";
const leave = "\u001b[?25h\u001b[?1049l";

export function openScreen(
  stdin: NodeJS.ReadStream,
  stdout: NodeJS.WriteStream,
  onKey: (key: string) => void,
): LiveScreen {
  const clock = systemClock();
  let draw: (() => readonly string[]) | undefined;
  let timer: Timer | undefined;
  const pressed = (keys: Buffer): void => [...keys.toString("utf8")].forEach(onKey);
  function redraw(): void {
    timer?.cancel();
    if (draw !== undefined)
      stdout.write(
        `\u001b[H${draw()
          .map((line) => `${line}\u001b[K`)
          .join("\r\n")}\u001b[J`,
      );
    timer = clock.after(redrawMs, redraw);
  }
  stdout.write(enter);
  stdout.on("resize", redraw);
  if (stdin.isTTY) stdin.setRawMode(true);
  stdin.on("data", pressed).resume();
  return {
    show(lines) {
      draw = lines;
      redraw();
    },
    close() {
      timer?.cancel();
      stdout.off("resize", redraw);
      stdin.off("data", pressed).pause();
      if (stdin.isTTY) stdin.setRawMode(false);
      stdout.write(leave);
    },
  };
}
