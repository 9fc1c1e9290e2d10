/** What failed in a check -> findings, which Engineers correct. */
import type { CheckFailure, Finding } from "../../contract/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";

type Terms = {
  readonly failures: readonly CheckFailure[];
  readonly category: string;
  readonly by: string;
  readonly ids: IdSource;
};

/** A check that failed without a word is a finding too. */
export function findingsOf({ failures, category, by, ids }: Terms): readonly Finding[] {
  const found = failures.length === 0 ? [{ output: "" }] : failures;
  return found.map(({ name, file, line, output }: CheckFailure): Finding => {
    const files = file === undefined ? [] : [{ path: file, ...(line === undefined ? {} : { line }) }];
    // A line that says all is not repeated as evidence.
    const saysMore = output !== "" && !(name !== undefined && output.endsWith(name));
    return {
      id: ids.next("fnd"),
      severity: "blocking",
      category,
      by,
      summary: name ?? `The ${category} check failed`,
      files,
      ...(saysMore ? { evidence: output } : {}),
    };
  });
}
