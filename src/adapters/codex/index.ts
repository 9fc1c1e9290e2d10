export { codex } from "./codex.ts";
export { codexUsage } from "./usage.ts";
