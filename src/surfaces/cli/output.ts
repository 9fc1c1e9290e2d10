/** What a command says: lines and tables for people, one JSON value for programs. Colour only on a terminal. */
import { styleText } from "node:util";

export type Tone = "bold" | "dim" | "green" | "yellow" | "red" | "cyan";

export type Output = {
  line(text?: string): void;
  note(text: string): void;
  table(header: readonly string[], rows: readonly (readonly string[])[]): void;
  json(value: unknown): void;
  paint(tone: Tone, text: string): string;
  /** Shows that something takes its time: an animated line on a terminal after a second, nothing elsewhere. */
  progress<T>(label: string, work: Promise<T>): Promise<T>;
};

type Streams = { readonly stdout: NodeJS.WriteStream; readonly stderr: NodeJS.WriteStream };

export function createOutput({ stdout, stderr }: Streams): Output {
  const line = (text = ""): void => void stdout.write(`${safe(text)}\n`);
  const paint = (tone: Tone, text: string): string => styleText(tone, text, { stream: stdout });
  return {
    line,
    note: (text) => void stderr.write(`${safe(text)}\n`),
    table(header, rows) {
      const titled = header.some((cell) => cell !== "");
      for (const row of renderTable(titled ? [header.map((cell) => paint("dim", cell)), ...rows] : rows)) line(row);
    },
    json: (value) => void stdout.write(`${JSON.stringify(value, undefined, 2)}\n`),
    paint,
    progress: (label, work) => showProgress(label, work, stderr),
  };
}

/** Columns as wide as their widest cell; the last one runs free. */
export function renderTable(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => visibleLength(row[column] ?? ""))));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell : cell + " ".repeat(widths[column]! - visibleLength(cell) + 2),
      )
      .join("")
      .trimEnd(),
  );
}

function visibleLength(text: string): number {
  return text.replaceAll(/\u001b\[\d+m/g, "").length;
}

/** Names and titles come from other agents: no control sequence of theirs reaches the terminal; our own colours do. */
function safe(text: string): string {
  return text.replaceAll(/\u001b(?!\[\d{1,2}m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g, "\ufffd");
}

const frames = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"];

async function showProgress<T>(label: string, work: Promise<T>, stderr: NodeJS.WriteStream): Promise<T> {
  if (!stderr.isTTY) return work;
  let tick = 0;
  // clock-exempt: an animation for eyes; nothing depends on its timing
  const timer = setInterval(() => {
    if (++tick >= 10) stderr.write(`\r${frames[tick % frames.length]} ${label} ${(tick / 10).toFixed(0)} s`);
  }, 100);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (tick >= 10) stderr.write("\r\u001b[K");
  }
}
