export { opencode } from "./opencode.ts";
export { opencodePlugin } from "./opencode-plugin.ts";
