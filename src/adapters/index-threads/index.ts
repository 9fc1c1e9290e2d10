export { openCodeIndex } from "./open-code-index.ts";
