/** Door of approvals: what waits for a person, of runs and of graphs, in one table. */
export { askPerson, type ApprovalTx, type Question, settle } from "./ask-person.ts";
export type { ApprovalRepository } from "./store.ts";
export { sqliteApprovals } from "./store.sqlite.ts";
export { auditOf, type DecidePorts } from "./decide-approval.ts";
export type { Asker } from "./inbox.ts";
export { withdrawQuestions, withdrawUnasked } from "./withdraw-questions.ts";
export { approvalHandlers } from "./handlers.ts";
