/** Corrections become a graph of their own: one node that gets every finding, done by an Engineer, checked again. */
import type { Finding, PlanNode } from "../../contract/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";

export function planCorrection(findings: readonly Finding[], ids: IdSource): readonly PlanNode[] {
  const listed = findings.map(({ category, summary, files, evidence }) => {
    const places = files.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`)).join(", ");
    return `- [${category}] ${summary}${places === "" ? "" : ` (${places})`}${evidence === undefined ? "" : `\n${indent(evidence)}`}`;
  });
  const title = `Correct ${findings.length === 1 ? "one finding" : `${findings.length} findings`} of ${[...new Set(findings.map(({ by }) => by))].join(" and ")}`;
  return [
    {
      id: ids.next("nod"),
      title,
      role: "engineer",
      prompt: `The checks rejected the change. Correct what they found and nothing else:\n\n${listed.join("\n")}`,
      dependsOn: [],
    },
  ];
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
}

/** Told apart from round to round by what was found and where, not by its line, nor by how long a test took. */
export function fingerprint(findings: readonly Finding[]): string {
  return findings
    .map(({ category, summary, files, evidence = "" }) => {
      const places = files.map(({ path }) => path).join(",");
      return [category, summary, places, evidence].join("|").replaceAll(/0x[\da-f]+|\d[\d.]*/gi, "#");
    })
    .sort()
    .join("\n");
}
