/** The newest runs as a list to choose from. */
import { element } from "./element.js";
import { command, runningTime } from "./wording.js";

/**
 * @import { RunStatus } from "../../../contract/index.ts"
 * @import { Copy, RunSummary } from "./live-copy.js"
 */

/**
 * @param {NonNullable<Copy["runs"]>} runs
 * @param {{ readonly shown: string | undefined, readonly isFollowing: boolean }} choice
 */
export function drawRuns({ items, nextCursor }, { shown, isFollowing }) {
  if (items.length === 0) {
    return [
      element(
        "p",
        { class: "empty" },
        "Nothing was asked for yet. See a request carried out without a model or a key:",
      ),
      command('sylk run "Add percentage discounts to the cart" --rehearse --yes'),
    ];
  }
  return [
    element(
      "ul",
      { class: "rows runs" },
      items.map((run) => runRow(run, run.id === shown)),
    ),
    element(
      "p",
      { class: "line quiet foot" },
      nextCursor !== undefined && element("span", {}, "The newest five; ", command("sylk runs"), " lists all."),
      !isFollowing && element("a", { class: "end", href: "/", "data-run": "" }, "Follow the newest"),
    ),
  ];
}

/**
 * @param {RunSummary} run
 * @param {boolean} isShown
 */
function runRow({ id, request, status, label, nodes, createdAt }, isShown) {
  const link = { href: `?run=${encodeURIComponent(id)}`, "data-run": id, "aria-current": isShown ? "true" : undefined };
  return element(
    "li",
    { key: id },
    element(
      "a",
      { class: "row", ...link },
      element(
        "span",
        { class: "line" },
        element("span", { class: "name" }, request.split("\n")[0]),
        statusChip(status),
      ),
      element(
        "span",
        { class: "line quiet" },
        progress(nodes),
        label !== undefined && element("span", { class: "chip label" }, label),
        element("span", { class: "end" }, runningTime("since", createdAt)),
      ),
    ),
  );
}

/** @param {RunStatus} status */
export function statusChip(status) {
  return element("span", { class: "chip status", "data-status": status }, status.replaceAll("_", " "));
}

/** @param {{ readonly succeeded: number, readonly total: number }} nodes */
export function progress({ succeeded, total }) {
  return [
    element("progress", { value: succeeded, max: Math.max(1, total), "aria-label": "Nodes done" }),
    element("span", { class: "numbers quiet" }, total === 0 ? "no plan yet" : `${succeeded} of ${total}`),
  ];
}
