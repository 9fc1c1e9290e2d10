/** Agents, reservations, and what waits for a person, as lists. */
import { element } from "./element.js";
import { command, counted, runningTime, tail } from "./wording.js";

/**
 * @import { Agent, InboxItem } from "../../../contract/index.ts"
 * @import { Copy, HeldReservation, RunSummary } from "./live-copy.js"
 */

/** @param {NonNullable<Copy["agents"]>} agents */
export function drawAgents({ items, nextCursor }) {
  if (items.length === 0) {
    return [
      element("p", { class: "empty" }, "No agent is at work. Register one with"),
      command("sylk agent register --session-key demo-1 --client other --name heron"),
    ];
  }
  return [element("ul", { class: "rows" }, items.map(agentRow)), more(nextCursor, "sylk who")];
}

/** @param {Agent} agent */
function agentRow({ id, name, client, status, project, tree, lastSeenAt }) {
  return element(
    "li",
    { key: id, class: "row agent", "data-status": status },
    element(
      "div",
      { class: "line" },
      element("span", { class: "dot", "aria-hidden": "true" }),
      element("strong", { class: "name" }, name),
      element("span", { class: "chip" }, client),
      element("span", { class: "end" }, status),
    ),
    element(
      "div",
      { class: "line quiet" },
      element("span", { class: "path", title: tree }, tail(tree)),
      element("span", { class: "end", title: project.name }, runningTime("since", lastSeenAt)),
    ),
  );
}

/** @param {NonNullable<Copy["reservations"]>} reservations */
export function drawReservations({ items, nextCursor }) {
  if (items.length === 0) {
    return [
      element("p", { class: "empty" }, "No path is reserved. Reserve one with"),
      command("sylk reserve src/checkout.ts --reason 'new totals'"),
    ];
  }
  const byEnd = items.toSorted((a, b) => a.expiresAt - b.expiresAt);
  return [element("ul", { class: "rows" }, byEnd.map(reservationRow)), more(nextCursor, "sylk reservations")];
}

/** @param {HeldReservation} reservation */
function reservationRow({ id, paths, patterns, holder, mode, scope, reason, tree, expiresAt }) {
  const reserved = [...paths, ...patterns];
  const shown = reserved.slice(0, 4);
  return element(
    "li",
    { key: id, class: "row" },
    element(
      "div",
      { class: "line top-aligned" },
      element(
        "span",
        { class: "paths" },
        shown.map((path) => element("code", {}, path)),
        reserved.length > shown.length &&
          element("span", { class: "quiet" }, `and ${reserved.length - shown.length} more`),
      ),
      element("span", { class: "end countdown" }, runningTime("until", expiresAt)),
    ),
    element(
      "div",
      { class: "line quiet" },
      element("span", {}, "held by ", element("strong", {}, holder.name)),
      holder.status === "offline" && element("span", { class: "chip warn" }, "offline"),
      mode === "shared" && element("span", { class: "chip" }, "shared"),
      scope === "repository" && element("span", { class: "chip" }, "all worktrees"),
      element("span", { class: "end path", title: tree }, tail(tree)),
    ),
    reason !== undefined && element("p", { class: "quiet reason" }, reason),
  );
}

/**
 * @param {string | undefined} nextCursor
 * @param {string} typed
 */
function more(nextCursor, typed) {
  return (
    nextCursor !== undefined && element("p", { class: "quiet" }, "There are more; ", command(typed), " lists all.")
  );
}

/**
 * Work that waits for a person; undefined when none does.
 *
 * @param {Copy} copy
 */
export function drawWaiting({ status, approvals, runs }) {
  const asked = approvals?.items.filter((approval) => approval.status === "waiting") ?? [];
  const stopped = runs?.items.filter(({ status }) => status === "paused" || status === "blocked") ?? [];
  const rows = [
    ...(status !== undefined && status.store.state !== "ok" ? [storeRow(status.store.reason)] : []),
    ...(status?.unresolved ?? []).map(incidentRow),
    ...asked.map(approvalRow),
    ...stopped.map(stoppedRow),
  ];
  if (rows.length === 0) return undefined;
  const title = rows.length === 1 ? "One thing waits for you" : `${rows.length} things wait for you`;
  return { title, content: [element("h2", {}, title), element("ul", { class: "rows" }, rows)] };
}

/** @param {string | undefined} reason */
function storeRow(reason) {
  return element(
    "li",
    { key: "store", class: "row" },
    element("p", {}, element("strong", {}, "The store does not answer"), reason === undefined ? "" : `: ${reason}`),
    command("sylk doctor"),
  );
}

/** @param {string} summary */
function incidentRow(summary) {
  return element(
    "li",
    { key: `incident ${summary}`, class: "row" },
    element("p", {}, element("strong", {}, "Unresolved"), `: ${summary}`),
    command("sylk health"),
  );
}

/** @param {InboxItem} approval */
function approvalRow({ id, run, kind, question, details, createdAt, by, project, about, title, byDefault, holdsFor }) {
  return element(
    "li",
    { key: id, class: "row" },
    element(
      "div",
      { class: "line" },
      element("span", { class: "chip warn" }, kind),
      element("strong", { class: "name" }, question),
      element("span", { class: "end quiet" }, runningTime("since", createdAt)),
    ),
    details.length > 0 &&
      element(
        "ul",
        { class: "details" },
        details.map((detail) => element("li", {}, detail)),
      ),
    element(
      "p",
      { class: "quiet" },
      `${project}: asked by ${by}${[title, about].map((text) => (text === undefined ? "" : ` for "${text}"`)).join("")}. `,
      `Without an answer ${byDefault}. A decision holds for ${holdsFor}.`,
    ),
    element(
      "div",
      { class: "line" },
      command(kind === "question" ? `sylk answer ${id} "…"` : `sylk approve ${id}`),
      element("span", { class: "quiet" }, "or"),
      command(`sylk reject ${id}`),
      run !== undefined &&
        element("a", { class: "end quiet", href: `?run=${encodeURIComponent(run)}`, "data-run": run }, "Show the run"),
    ),
  );
}

/** @param {RunSummary} run */
function stoppedRow({ id, status, reason, request, nodes }) {
  return element(
    "li",
    { key: id, class: "row" },
    element(
      "div",
      { class: "line" },
      element("span", { class: "chip warn" }, status),
      element("strong", { class: "name" }, request),
      element("span", { class: "end quiet" }, `${nodes.succeeded} of ${counted(nodes.total, "node")}`),
    ),
    reason !== undefined && element("p", { class: "quiet" }, reason),
    element(
      "div",
      { class: "line" },
      command(`sylk resume ${id}`),
      element("a", { class: "end quiet", href: `?run=${encodeURIComponent(id)}`, "data-run": id }, "Show the run"),
    ),
  );
}
