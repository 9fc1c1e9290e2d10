export { openSyntax } from "./open-syntax.ts";
