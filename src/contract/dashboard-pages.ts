/** The first part of every address of the dashboard. This file imports nothing: the dashboard itself loads it. */
export const dashboardPages = [
  "now",
  "inbox",
  "runs",
  "files",
  "work",
  "findings",
  "messages",
  "knowledge",
  "costs",
  "health",
  "events",
  "agents",
] as const;
