/** Research on the command line: sources are added once, questions are answered from them. */
import { resolve } from "node:path";
import type { Citation, Claim, ResearchAnswer, Source } from "../../../contract/index.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { sampleScenario } from "../samples.ts";
import { ago, counted } from "../wording.ts";
import type { CommandContext } from "../command.ts";

type Fields = Record<string, unknown>;

const rehearse = {
  rehearse: {
    describe: "a scripted model plays a scenario instead of a real model (default: the sample)",
    optionalValue: "scenario",
  },
};

export const ask = operationCommand("research.ask", {
  example: 'sylk research "how long is a lease kept?"',
  details:
    "Answers from the sources of this project, without a model unless you name one. Every claim shows its kind: quoted, supported (beside the sentence that says it) or unsupported.\n\nSources: research add, research sources, research remove. More answers: research check, research examples, research compare, research paper.",
  progress: "looking into the sources",
  fields: ["question"],
  without: ["rehearse"],
  flags: rehearse,
  adjust: withScenario,
  print: (answer, out) => printAnswer(answer, out),
});

export const add = operationCommand("research.add", {
  example: "sylk research add docs",
  details:
    "Reads Markdown, text, HTML and PDF. Addresses are read only where the setting knowledge.allowHosts names their host and port.",
  progress: "reading the source",
  fields: ["location"],
  adjust: (input, { cwd }) => ({ ...input, location: placeFrom(input.location, cwd) }),
  print({ source, replaced, skipped, skippedCount }, out) {
    out.line(`${replaced ? "Read anew" : "Added"}: ${describe(source)}`);
    for (const { location, reason } of skipped) out.note(`${location} was not read: ${reason}`);
    if (skippedCount > skipped.length) out.note(`and ${skippedCount - skipped.length} more were not read`);
    out.line(source.id);
  },
});

export const sources = operationCommand("research.sources", {
  print({ items }, out) {
    if (items.length === 0)
      return out.line("This project has no source yet: sylk research add <folder, file or address>");
    out.table(
      ["kind", "title", "documents", "quality", "added", "id"],
      items.map(({ kind, title, documents, quality, addedAt, id }) => [
        kind,
        title.slice(0, 60),
        String(documents),
        quality.toFixed(2),
        ago(addedAt),
        id,
      ]),
    );
  },
});

export const remove = operationCommand("research.remove", {
  fields: ["id"],
  print: ({ source }, out) => out.line(`Removed: ${describe(source)}`),
});

export const check = operationCommand("research.check", {
  example: 'sylk research check "A lease ends after 300 seconds"',
  fields: ["claim"],
  print({ claim, citations }, out) {
    printClaim(claim, out);
    printCitations(citations, out);
  },
});

function withScenario(input: Fields, { cwd, flags }: CommandContext): Fields {
  if (flags.rehearse === undefined) return input;
  return { ...input, rehearse: flags.rehearse === true ? sampleScenario() : resolve(cwd, String(flags.rehearse)) };
}

function printAnswer(answer: ResearchAnswer, out: Output): void {
  const {
    outcome,
    claims,
    citations,
    confidence,
    method,
    model,
    label,
    search,
    sources: count,
    cached,
    notes,
  } = answer;
  if (outcome === "no-source") out.line(`No source says anything about this (${counted(count, "source")} searched)`);
  for (const claim of claims) printClaim(claim, out);
  printCitations(citations, out);
  if (outcome === "answered") {
    const by = method === "model" ? `by ${label === undefined ? "" : `${label}: `}${model}` : "without a model";
    const kept = cached ? ", kept from before" : "";
    out.line(out.paint("dim", `confidence ${confidence.toFixed(2)}, ${by}, found by ${search}${kept}`));
  }
  for (const note of notes) out.note(note);
}

const colours = { quoted: "green", supported: "cyan", unsupported: "yellow" } as const;

function printClaim({ kind, text, citation, evidence, reason }: Claim, out: Output): void {
  out.line(`${out.paint(colours[kind], kind)}  ${text}${citation === undefined ? "" : ` [${citation}]`}`);
  if (kind === "supported" && evidence !== undefined) out.line(`  the source: ${evidence}`);
  if (kind === "quoted" && evidence !== undefined && !text.includes(evidence)) out.line(`  in: ${evidence}`);
  if (reason !== undefined) out.line(`  why: ${reason}`);
}

function printCitations(citations: readonly Citation[], out: Output): void {
  for (const { number, title, heading, location, lines } of citations) {
    const section = heading === undefined || heading === title ? "" : `, ${heading}`;
    out.line(`[${number}] ${title}${section}  ${out.paint("cyan", `${location}:${lines.from}-${lines.to}`)}`);
  }
}

function describe({ title, kind, documents, passages, bytes, quality }: Source): string {
  const size = `${counted(documents, "document")}, ${counted(passages, "passage")}, ${bytes} bytes`;
  return `${title} (${kind}, ${size}, quality ${quality.toFixed(2)})`;
}

function placeFrom(location: unknown, cwd: string): unknown {
  return typeof location !== "string" || /^[a-z][a-z0-9+.-]*:\/\//i.test(location) ? location : resolve(cwd, location);
}

export const examples = operationCommand("research.examples", {
  fields: ["topic"],
  print({ items, citations }, out) {
    if (items.length === 0) return out.line("No source has an example of this");
    for (const { code, language, citation } of items) {
      out.line(out.paint("dim", `${language ?? "code"} [${citation}]`));
      for (const line of code.split("\n")) out.line(`  ${line}`);
    }
    printCitations(citations, out);
  },
});

export const paper = operationCommand("research.paper", {
  example: 'sylk research paper "leases" --depth overview',
  progress: "writing the paper",
  fields: ["topic"],
  without: ["rehearse"],
  flags: rehearse,
  adjust: withScenario,
  print: ({ text }, out) => printLines(text, out),
});

export const compare = operationCommand("research.compare", {
  example: 'sylk research compare "leases vs locks"',
  progress: "comparing",
  fields: ["topic"],
  without: ["rehearse"],
  flags: rehearse,
  adjust: withScenario,
  print: ({ text }, out) => printLines(text, out),
});

function printLines(text: string, out: Output): void {
  for (const line of text.split("\n")) out.line(line);
}
