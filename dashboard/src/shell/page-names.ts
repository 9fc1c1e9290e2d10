/** The pages as the navigation and the palette name them, in order of use; `key` goes there after "g". */
import type { PageName } from "./route.ts";

export type PageEntry = { readonly page: PageName; readonly name: string; readonly key: string };

export const pageEntries: readonly PageEntry[] = [
  { page: "now", name: "Now", key: "n" },
  { page: "inbox", name: "Inbox", key: "i" },
  { page: "runs", name: "Runs", key: "r" },
  { page: "work", name: "Work", key: "w" },
  { page: "files", name: "Files", key: "f" },
  { page: "findings", name: "Findings", key: "d" },
  { page: "messages", name: "Messages", key: "m" },
  { page: "knowledge", name: "Knowledge", key: "k" },
  { page: "costs", name: "Costs", key: "c" },
  { page: "health", name: "Health", key: "h" },
  { page: "events", name: "Events", key: "e" },
];
