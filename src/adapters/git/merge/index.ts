export { createMerger } from "./merger.ts";
