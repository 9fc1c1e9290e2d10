import { invalidInput } from "../../../contract/errors.ts";
import { systemClock } from "../../../platform/clock/index.ts";
import { follow, readTail } from "../../../platform/log/index.ts";
import type { FlagValues, WrittenCommand } from "../command.ts";
import type { Output } from "../output.ts";
import { printable, printableText } from "../printable.ts";

export const logs: WrittenCommand = {
  summary: "Show the daemon's log",
  example: "sylk logs --follow",
  flags: {
    lines: { describe: "number of lines from the end (default 50)", value: "number", short: "n" },
    follow: { describe: "keep following until Ctrl-C", short: "f" },
  },
  async run({ paths, flags, out, json, signal }) {
    const lines = countOf(flags.lines ?? "50");
    const show = (line: string): void => out.line(json ? line : readable(line, out));
    if (flags.follow === true) await follow(paths.logs, show, signal, { clock: systemClock(), lines });
    else readTail(paths.logs, lines).forEach(show);
  },
};

function countOf(given: FlagValues[string]): number {
  if (typeof given === "string" && /^\d{1,9}$/.test(given)) return Number(given);
  throw invalidInput("lines", "must be a whole number", {
    sentence: `--lines must be a whole number, not "${String(given)}"`,
  });
}

const tones = { debug: "dim", info: "green", warn: "yellow", error: "red" } as const;

function readable(line: string, out: Output): string {
  try {
    const { at, level, event, ...rest } = printable(JSON.parse(line)) as {
      at: number;
      level: keyof typeof tones;
      event: string;
    };
    const time = new Date(at).toISOString().slice(0, 19).replace("T", " ");
    const facts = Object.entries(rest).map(
      ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
    return `${out.paint("dim", time)} ${out.paint(tones[level], level.padEnd(5))} ${event} ${facts.join(" ")}`.trimEnd();
  } catch {
    return printableText(line); // a torn line is shown as it is
  }
}
