/** Times, paths and amounts as people say them. */
import { element } from "./element.js";

/** @param {number} at */
export function ago(at) {
  const ms = Date.now() - at;
  return ms < 5_000 ? "just now" : `${span(ms)} ago`;
}

/** @param {number} until */
export function left(until) {
  const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
  if (seconds === 0) return "ending";
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes}:${String(seconds % 60).padStart(2, "0")} min`;
}

/** @param {number} ms */
export function span(ms) {
  if (ms < 1_000) return "under 1 s";
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/**
 * A time whose words change while it is on the page.
 *
 * @param {"since" | "until"} kind
 * @param {number} at
 */
export function runningTime(kind, at) {
  const attributes = { datetime: new Date(at).toISOString(), title: new Date(at).toLocaleString() };
  return element("time", { ...attributes, [`data-${kind}`]: at }, kind === "since" ? ago(at) : left(at));
}

/** Brings the words of all running times up to date; true when one of them has run out. */
export function tick() {
  let ranOut = false;
  for (const shown of document.querySelectorAll("time")) {
    const { since, until } = shown.dataset;
    const words = since === undefined ? left(Number(until)) : ago(Number(since));
    if (shown.textContent === words) continue;
    shown.textContent = words;
    ranOut ||= words === "ending";
  }
  return ranOut;
}

/** The end of a path tells trees apart; its beginning is the same for all. @param {string} path */
export function tail(path) {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join("/")}`;
}

/**
 * @param {number} count
 * @param {string} one
 */
export function counted(count, one) {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}

/** What to type, selected as a whole by one click. @param {string} text */
export function command(text) {
  return element("code", { class: "command" }, text);
}
