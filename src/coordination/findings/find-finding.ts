/** One finding of the caller's own project, by the id of any of its reports. */
import { DomainError, type Caller, type FindingId } from "../../contract/index.ts";
import type { FindingRecord, FindingRepository } from "./store.ts";

export async function findFinding(
  id: FindingId,
  caller: Caller,
  { findings }: { readonly findings: FindingRepository },
): Promise<FindingRecord> {
  const record = await findings.find(id);
  if (record === undefined)
    throw new DomainError("finding.not-found", `There is no finding ${id}; "sylk finding list" shows them`, {
      details: { id },
    });
  if (caller.kind === "agent" && record.project !== caller.project.id)
    throw new DomainError("caller.denied", `${id} belongs to another project`, {
      details: { needed: "a token of that project" },
    });
  return record;
}
