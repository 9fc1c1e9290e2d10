/** Findings as the page shows them: filtered by words, grouped by severity or by file, the newest first. */
import type { PublishedFinding } from "../daemon/contract.ts";

export type Grouping = "severity" | "file";
export type FindingGroup = {
  readonly key: string;
  readonly title: string;
  readonly findings: readonly PublishedFinding[];
};

const severities = ["blocking", "important", "informational"] as const;
const noPlace = "Without a place";

/** Every word has to occur: in the summary, the category, a path, the id or a reporter's name. */
export function matchFindings(findings: readonly PublishedFinding[], text: string): readonly PublishedFinding[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return findings;
  return findings.filter(({ id, summary, category, files, by, reports }) => {
    const places = files.map(placeText);
    const whole = [id, summary, category, by, ...places, ...reports.map(({ agent }) => agent.name)]
      .join("\n")
      .toLowerCase();
    return words.every((word) => whole.includes(word));
  });
}

/** A finding in several files stands in the group of each. Files with the newest finding come first. */
export function groupFindings(findings: readonly PublishedFinding[], by: Grouping): readonly FindingGroup[] {
  const newestFirst = findings.toSorted((a, b) => b.publishedAt - a.publishedAt);
  if (by === "severity")
    return severities
      .map((key) => ({ key, title: titleOf(key), findings: newestFirst.filter(({ severity }) => severity === key) }))
      .filter((group) => group.findings.length > 0);
  const groups = new Map<string, PublishedFinding[]>();
  for (const finding of newestFirst) {
    const paths = new Set(finding.files.map(({ path }) => path));
    for (const path of paths.size === 0 ? [""] : paths) {
      const known = groups.get(path);
      if (known === undefined) groups.set(path, [finding]);
      else known.push(finding);
    }
  }
  return [...groups].map(([path, members]) => ({ key: path, title: path === "" ? noPlace : path, findings: members }));
}

/** "src/orders.ts:42", as editors and terminals read it. */
export function placeText({ path, line }: PublishedFinding["files"][number]): string {
  return line === undefined ? path : `${path}:${line}`;
}

function titleOf(severity: string): string {
  return severity.charAt(0).toUpperCase() + severity.slice(1);
}
