/** Work items from and to a beads issues.jsonl: the file is read and written here, line by line as it is. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type DomainError, invalidInput, messageOf } from "../../../contract/errors.ts";
import type { OutputOf } from "../../../contract/index.ts";
import { defined } from "../../../platform/defined.ts";
import type { CommandContext, WrittenCommand } from "../command.ts";
import { counted } from "../wording.ts";

const file = { name: "file", describe: "issues.jsonl of beads", required: true } as const;
const linesPerCall = 200;
const bytesPerCall = 500_000;

type Imported = OutputOf<"work-item.import">;

export const importFile: WrittenCommand = {
  operation: "work-item.import",
  example: "sylk work import .beads/issues.jsonl",
  arguments: [file],
  async run(context) {
    const { out, json } = context;
    const lines = linesOf(context);
    const client = await context.connect();
    let total: Imported = { added: 0, changed: 0, unchanged: 0, openLinks: 0, refusedLinks: [] };
    for (const part of partsOf(lines)) total = sum(total, await client.call("work-item.import", part));
    if (json) return out.json(total);
    out.line(`${total.added} added, ${total.changed} changed, ${total.unchanged} unchanged`);
    if (total.openLinks > 0) out.note(`kept: ${counted(total.openLinks, "link")} to items that are not in the file`);
    for (const link of total.refusedLinks) out.note(`not linked, because it would create a dependency cycle: ${link}`);
  },
};

export const exportFile: WrittenCommand = {
  operation: "work-item.export",
  example: "sylk work export .beads/issues.jsonl",
  arguments: [file],
  async run(context) {
    const { out, json } = context;
    const client = await context.connect();
    const lines: string[] = [];
    let cursor: string | undefined;
    do {
      const input = { limit: 500, ...defined({ cursor }) };
      const page: OutputOf<"work-item.export"> = await client.call("work-item.export", input);
      lines.push(...page.lines);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const target = pathOf(context);
    // Whole or not at all: a reader of the file meanwhile finds the old one.
    const beside = `${target}.${process.pid}.new`;
    try {
      writeFileSync(beside, lines.map((line) => `${line}\n`).join(""));
      renameSync(beside, target);
    } catch (cause) {
      throw unusable(target, "written", cause);
    }
    if (json) out.json({ items: lines.length, file: target });
    else out.line(`${counted(lines.length, "item")} written to ${target}`);
  },
};

function pathOf({ args, cwd }: CommandContext): string {
  return resolve(cwd, String(args[0]));
}

function linesOf(context: CommandContext): readonly string[] {
  const path = pathOf(context);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    return text.split("\n");
  } catch (cause) {
    throw unusable(path, "read", cause);
  }
}

type Part = { readonly lines: string[]; readonly firstLine: number };

/** Blank lines are left out; the others go in parts that a request can carry. */
function* partsOf(lines: readonly string[]): Generator<Part> {
  let part: Part = { lines: [], firstLine: 1 };
  let bytes = 0;
  for (const [index, line] of lines.entries()) {
    const isBlank = line.trim() === "";
    const size = isBlank ? 0 : Buffer.byteLength(JSON.stringify(line));
    const isFull = part.lines.length >= linesPerCall || bytes + size > bytesPerCall;
    if (part.lines.length > 0 && (isBlank || isFull)) {
      yield part;
      part = { lines: [], firstLine: index + 1 };
      bytes = 0;
    }
    if (isBlank) continue;
    if (part.lines.length === 0) part = { lines: [], firstLine: index + 1 };
    part.lines.push(line);
    bytes += size;
  }
  if (part.lines.length > 0) yield part;
}

function sum(total: Imported, part: Imported): Imported {
  return {
    added: total.added + part.added,
    changed: total.changed + part.changed,
    unchanged: total.unchanged + part.unchanged,
    openLinks: part.openLinks,
    refusedLinks: [...total.refusedLinks, ...part.refusedLinks],
  };
}

function unusable(path: string, verb: "read" | "written", cause: unknown): DomainError {
  const why = messageOf(cause);
  return invalidInput("file", why, { sentence: `${path} cannot be ${verb}: ${why}`, cause });
}
