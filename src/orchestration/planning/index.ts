export { acceptProposal, runPolicy } from "./accept-proposal.ts";
export { fingerprint, planCorrection } from "./plan-correction.ts";
export { PlanProposal } from "./proposal.ts";
