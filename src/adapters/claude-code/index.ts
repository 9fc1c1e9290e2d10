export { claudeCode } from "./claude-code.ts";
export { sessionOf } from "./read-event.ts";
