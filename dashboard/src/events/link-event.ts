/** What an event is about, as addresses of the dashboard. */
import type { LogEvent } from "../daemon/contract.ts";
import type { PageName } from "../shell/route.ts";

export type EventLink = { readonly page: PageName; readonly id: string; readonly what: string };

const pages: Readonly<Record<string, readonly [PageName, string]>> = {
  run: ["runs", "run"],
  dag: ["runs", "graph"],
  agt: ["agents", "agent"],
  wrk: ["work", "work item"],
  msg: ["messages", "message"],
  fnd: ["findings", "finding"],
  apr: ["inbox", "decision"],
  inc: ["health", "incident"],
};
const most = 12;
const idText = /^([a-z]{3})_[0-9a-hjkmnp-tv-z]{22}$/;

/** The subject first, then each other thing that the data names, then files. */
export function linksOf({ subject, data }: LogEvent): readonly EventLink[] {
  const found = new Map<string, EventLink>();
  const add = (value: string): void => {
    const known = pages[idText.exec(value)?.[1] ?? ""];
    if (known !== undefined && !found.has(value)) found.set(value, { page: known[0], id: value, what: known[1] });
  };
  add(subject);
  const files = new Set<string>();
  visit(data, (key, value) => {
    add(value);
    const isFile = key === "paths" || key === "path" || key === "file";
    if (isFile && !/^([/\\]|[A-Za-z]:)/.test(value)) files.add(value); // absolute ones are folders of projects
  });
  const things = [...found.values()].slice(0, most);
  return [...things, ...[...files].slice(0, most).map((id) => ({ page: "files" as const, id, what: "file" }))];
}

/** Every text in the data with the nearest key above it. */
function visit(value: unknown, see: (key: string, text: string) => void, key = ""): void {
  if (typeof value === "string") see(key, value);
  else if (Array.isArray(value)) for (const item of value) visit(item, see, key);
  else if (typeof value === "object" && value !== null)
    for (const [name, item] of Object.entries(value)) visit(item, see, name);
}
