export { eventSource } from "./event-source.ts";
