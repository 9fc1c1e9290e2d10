/**
 * Addresses of the dashboard: `/runs/run_…?project=prj_…` and back. Everything that can be looked at has one.
 */
import { dashboardPages } from "../../../src/contract/dashboard-pages.ts";

export type PageName = (typeof dashboardPages)[number];

export type Route = {
  /** Undefined: the address names no page of ours. */
  readonly page: PageName | undefined;
  /** What is shown of the page, for example a run's id. */
  readonly id?: string | undefined;
  readonly project?: string | undefined;
  /** Filters and places of a page, as they stand in the address. */
  readonly terms: Readonly<Record<string, string>>;
};

const known: ReadonlySet<string> = new Set(dashboardPages);

export function readRoute({ pathname, search }: { readonly pathname: string; readonly search: string }): Route {
  const [first = "", ...rest] = pathname.replace(/^\/+/, "").split("/");
  const { project, ...terms } = Object.fromEntries(new URLSearchParams(search));
  const page = first === "" ? "now" : known.has(first) ? (first as PageName) : undefined;
  const id = decoded(rest.join("/")).replace(/^~(?=~*\.{1,2}$)/, "");
  return { page, id: id || undefined, project, terms };
}

export function addressOf({ page, id, project, terms = {} }: Partial<Route>): string {
  const path = page === undefined || page === "now" ? "/" : `/${page}`;
  const query = new URLSearchParams({ ...(project === undefined ? {} : { project }), ...terms }).toString();
  return `${path}${id === undefined ? "" : `/${segmentOf(id)}`}${query === "" ? "" : `?${query}`}`;
}

/** A browser removes the segments `.` and `..` from an address, encoded or not, so a tilde stands before them. */
function segmentOf(id: string): string {
  return encodeURIComponent(/^~*\.{1,2}$/.test(id) ? `~${id}` : id);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that begins no code: the thing is not found, and the page says so
  }
}
