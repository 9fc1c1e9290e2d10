export { opencode } from "./opencode.ts";
export { opencodePlugin } from "./opencode-plugin.ts";
export { readOpencodeMessage } from "./read-message.ts";
