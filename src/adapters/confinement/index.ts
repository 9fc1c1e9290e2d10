export { createConfinement } from "./confinement.ts";
export { helperName, helperScript } from "./helper-script.ts";
export { createSandbox } from "./sandbox.ts";
export { shellPrefix } from "./shell-prefix.ts";
