export { addFinding, addOwnFinding } from "./add-finding.ts";
export { investigate } from "./investigate.ts";
export { getFinding, listFindings } from "./list-findings.ts";
export { alsoFixing, markFinding } from "./mark-finding.ts";
export type { FindingPorts, FindingRepositories } from "./ports.ts";
export { promoteFinding } from "./promote-finding.ts";
export { remindHolder } from "./remind-holder.ts";
export type { FindingRepository } from "./store.ts";
export { sqliteFindings } from "./store.sqlite.ts";
