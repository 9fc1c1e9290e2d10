/** A checker's output -> findings with places. What has no place is kept as one finding with the output as evidence. */
import type { Finding } from "../../contract/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";

type Terms = { readonly output: string; readonly category: string; readonly by: string; readonly ids: IdSource };

/** path:line[:column]: message, and TypeScript's path(line,column): message. */
const placed = /^\s*(?<path>[\w@./-]+\.\w+)(?::(?<line>\d+)(?::\d+)?|\((?<line2>\d+),\d+\)):?\s+(?<message>\S.*)$/gm;
const mostFindings = 50;
const evidenceLength = 4_000;

export function readFindings({ output, category, by, ids }: Terms): readonly Finding[] {
  const found = [...output.matchAll(placed)].slice(0, mostFindings).map(({ groups }): Finding => {
    const { path = "", line, line2, message = "" } = groups ?? {};
    return {
      id: ids.next("fnd"),
      severity: "blocking",
      category,
      by,
      summary: message.trim(),
      files: [{ path, line: Number(line ?? line2) }],
    };
  });
  if (found.length > 0) return found;
  return [
    {
      id: ids.next("fnd"),
      severity: "blocking",
      category,
      by,
      summary: `The ${category} check failed`,
      files: [],
      evidence: tail(output),
    },
  ];
}

function tail(text: string): string {
  return text.length <= evidenceLength ? text : `…${text.slice(-evidenceLength)}`;
}
