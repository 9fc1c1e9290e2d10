/** The door of the contract for callers: it loads the schemas of the operations that are called, and no others. */
export { ErrorBodySchema } from "./error-body.ts";
export { AgentId } from "./ids.ts";
export { loadOperation } from "./load-operation.ts";
export { parseInput } from "./parse-input.ts";
