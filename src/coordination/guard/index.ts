export { checkCommit } from "./check-commit.ts";
export { guardWrite } from "./guard-write.ts";
export type { GuardPorts } from "./ports.ts";
export { startSession } from "./start-session.ts";
export { createToldLosses } from "./told-losses.ts";
