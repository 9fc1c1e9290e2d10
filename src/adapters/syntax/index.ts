export { defaultLimits, openSyntax } from "./open-syntax.ts";
