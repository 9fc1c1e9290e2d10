export { gemini } from "./gemini.ts";
export { geminiReader } from "./read-transcript.ts";
