export { createPageFetcher } from "./page-fetcher.ts";
