/** Lines of a file -> issues, or every problem at once with its line number. */
import { DomainError, WorkItemKey } from "../../../contract/index.ts";
import { Issue } from "./issue.ts";

export type ReadLine = { readonly line: string; readonly issue: Issue };
type Problem = { readonly path: string; readonly message: string };

const mostProblems = 20;

export function readLines(lines: readonly string[], firstLine: number): readonly ReadLine[] {
  const problems: Problem[] = [];
  const read: ReadLine[] = [];
  for (const [index, line] of lines.entries()) {
    const issue = readIssue(line);
    if (typeof issue === "string") problems.push({ path: `line ${firstLine + index}`, message: issue });
    else read.push({ line, issue });
  }
  if (problems.length === 0) return read;
  const shown = problems.slice(0, mostProblems);
  const said = shown.map(({ path, message }) => `${path}: ${message}`).join("; ");
  throw new DomainError("input.invalid", `${said}; nothing of these lines was imported`, {
    details: { problems: shown, problemCount: problems.length },
  });
}

/** Read anew whenever it is compared; a line that was imported was readable then. */
export function issueOfLine(line: string): Issue {
  return Issue.parse(JSON.parse(line));
}

function readIssue(line: string): Issue | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return `is not JSON (${(error as Error).message})`;
  }
  const parsed = Issue.safeParse(value);
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    return `${first?.path.join(".") || "it"} ${first?.message ?? "is not an issue"}`;
  }
  return WorkItemKey.safeParse(parsed.data.id).success ? parsed.data : `id "${parsed.data.id}" is not like bd-a3f8`;
}
