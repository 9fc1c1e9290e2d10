/** What waits for a person, of runs and of graphs, and what was decided. */
import type { Approval, ApprovalId, GraphId, ProjectId } from "../../contract/index.ts";

/** With the project it belongs to. */
export type StoredApproval = Approval & { readonly project: ProjectId };

export type ApprovalRepository = {
  insert(project: ProjectId, approval: Approval): Promise<void>;
  update(approval: Approval): Promise<void>;
  /** Says which node waits for it. */
  attach(id: ApprovalId, node: string): Promise<void>;
  find(id: ApprovalId): Promise<StoredApproval | undefined>;
  list(query: {
    readonly graph: GraphId | undefined;
    readonly project: ProjectId | undefined;
    readonly waitingOnly: boolean;
  }): Promise<readonly StoredApproval[]>;
};
