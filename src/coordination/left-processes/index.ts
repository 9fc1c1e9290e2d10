export { createLeftNews, type LeftNews } from "./left-news.ts";
export { waitOutProcesses } from "./wait-out-processes.ts";
