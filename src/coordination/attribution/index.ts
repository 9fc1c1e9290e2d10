export { attribute, type Attribution } from "./attribute.ts";
export { likelyWriter, type Writer } from "./likely-writer.ts";
