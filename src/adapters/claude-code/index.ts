export { claudeCode } from "./claude-code.ts";
export { claudeCodeReader } from "./read-transcript.ts";
