/** The output of a command: lines and tables for people, one JSON value for programs. Colour only on a terminal. */
import { styleText } from "node:util";
import { systemClock } from "../../platform/clock/index.ts";
import { renderTable, wrapWords } from "./table.ts";

export type Tone = "bold" | "dim" | "green" | "yellow" | "red" | "cyan";

export type Output = {
  line(text?: string): void;
  /** A sentence, wrapped between words; further lines are set in like the first. */
  paragraph(text: string): void;
  note(text: string): void;
  /** Fits the width of the terminal. `spare` names columns in the order in which they are left out where all have no room, `whole` one that is cut last. */
  table(
    header: readonly string[],
    rows: readonly (readonly string[])[],
    terms?: { readonly spare?: readonly string[]; readonly whole?: number },
  ): void;
  /** Columns of the terminal; 80 where there is none, or as many as COLUMNS says. */
  readonly width: number;
  json(value: unknown): void;
  /** For streams: one value per line. */
  jsonLine(value: unknown): void;
  paint(tone: Tone, text: string): string;
  /**
   * Shows that something takes its time: an animated line on a terminal after a second, nothing elsewhere. A label that is
   * a function is asked anew each time.
   */
  progress<T>(label: string | (() => string), work: Promise<T>): Promise<T>;
};

/** A terminal's, a file's or a pipe's: whether it is a terminal is asked of the stream. */
export type Streams = { readonly stdout: Stream; readonly stderr: Stream };
type Stream = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

/** Of a pipe, a file, and a terminal that does not tell. */
const usualWidth = 80;
const narrowest = 20;

export function createOutput(
  { stdout, stderr }: Streams,
  env: Readonly<Record<string, string | undefined>> = {},
): Output {
  // The reader may stop early (a pager, head): that is not our error.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  const line = (text = ""): void => void stdout.write(`${safe(text)}\n`);
  const paint = (tone: Tone, text: string): string => styleText(tone, text, { stream: stdout });
  return {
    line,
    paragraph: (text) => wrapWords(text, widthOf(stdout, env)).forEach(line),
    note: (text) => void stderr.write(`${safe(text)}\n`),
    get width() {
      return widthOf(stdout, env);
    },
    table(header, rows, terms = {}) {
      const width = widthOf(stdout, env);
      const { head, lines, left } = renderTable(header, rows, { width, ...terms });
      for (const row of head) line(paint("dim", row));
      for (const row of lines) line(row);
      const unseen = left.length === 0 ? [] : wrapWords(`not shown for lack of room: ${left.join(", ")}`, width);
      for (const row of unseen) line(paint("dim", row));
    },
    json: (value) => void stdout.write(`${escaped(JSON.stringify(value, undefined, 2))}\n`),
    jsonLine: (value) => void stdout.write(`${escaped(JSON.stringify(value))}\n`),
    paint,
    progress: (label, work) => showProgress(label, work, stderr),
  };
}

function widthOf(stdout: Stream, env: Readonly<Record<string, string | undefined>>): number {
  const told = stdout.isTTY ? stdout.columns : Number(env.COLUMNS);
  return told !== undefined && Number.isInteger(told) && told > 0 ? Math.max(told, narrowest) : usualWidth;
}

/** JSON escapes most control characters by itself; terminals obey these too. */
function escaped(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * The second net: what other agents wrote comes here cleaned by printable(), so a colour is ours. Besides colours only
 * tabs and line ends reach the terminal; any other control character is shown as a replacement.
 */
function safe(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character, at: number) =>
    isOurs(character, text.slice(at)) ? character : "\ufffd",
  );
}

function isOurs(character: string, rest: string): boolean {
  if (character === "\n" || character === "\t") return true;
  return character === "\u001b" && /^.\[\d{1,2}m/u.test(rest);
}

const frames = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"];
const frameMs = 100;
const framesBeforeShown = 10;

async function showProgress<T>(label: string | (() => string), work: Promise<T>, stderr: Stream): Promise<T> {
  if (!stderr.isTTY) return work;
  const clock = systemClock();
  let frame = 0;
  let timer = clock.after(frameMs, animate);
  function animate(): void {
    frame++;
    const said = typeof label === "string" ? label : label();
    const shown = `\r${frames[frame % frames.length]} ${said} ${Math.floor((frame * frameMs) / 1000)} s`;
    if (frame >= framesBeforeShown) stderr.write(shown);
    timer = clock.after(frameMs, animate);
  }
  try {
    return await work;
  } finally {
    timer.cancel();
    if (frame >= framesBeforeShown) stderr.write("\r\u001b[K");
  }
}
