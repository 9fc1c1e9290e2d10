/**
 * The live page: one copy of what the daemon knows, drawn again when it changes.
 *
 *   EventSource -> live copy (parts/live-copy.js) -> draw, once per frame -> changed elements only (parts/element.js)
 *
 * It asks for nothing on a timer: the seconds that count down are the browser's own.
 */
import { concerns } from "./parts/concerns.js";
import { drawAgents, drawReservations, drawWaiting } from "./parts/draw-lists.js";
import { drawNoRun, drawRun } from "./parts/draw-run.js";
import { drawRuns } from "./parts/draw-runs.js";
import { fill } from "./parts/element.js";
import { createLiveCopy } from "./parts/live-copy.js";
import { readDaemon } from "./parts/read-daemon.js";
import { tick } from "./parts/wording.js";

/**
 * @import { Child } from "./parts/element.js"
 * @import { Connection, StreamEvent, StreamListener } from "./parts/live-copy.js"
 */

/** @type {Readonly<Record<Connection, string>>} */
const connectionWords = {
  connecting: "connecting",
  live: "live",
  reconnecting: "reconnecting",
  "signed-out": "signed out",
};
const secondMs = 1_000;
let drawing = false;

const live = createLiveCopy(
  {
    read: readDaemon,
    openStream,
    nextFrame: (work) => void requestAnimationFrame(work),
    later: (ms, work) => void setTimeout(work, ms),
    onChange() {
      if (drawing) return;
      drawing = true;
      requestAnimationFrame(draw);
    },
  },
  runInAddress(),
);

void live.connect();
setInterval(() => {
  // Renewing is not an event: whether a hold really ends is asked when its time is over.
  if (tick()) live.mark(["reservations"]);
}, secondMs);
document.addEventListener("click", showClickedRun);
addEventListener("popstate", () => live.show(runInAddress()));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  if (live.copy.connection === "signed-out") void live.connect();
  else live.mark(["agents", "reservations"]); // signs of life and renewals since then were not events
});

/**
 * @param {number} after
 * @param {StreamListener} listener
 */
function openStream(after, { onOpen, onEvent, onLost }) {
  const source = new EventSource(`/v1/events?after=${after}`);
  source.addEventListener("open", onOpen);
  source.addEventListener("error", (happened) => {
    // With data it is the daemon's last word, for example that retention overtook this cursor.
    const isFinal = happened instanceof MessageEvent || source.readyState === EventSource.CLOSED;
    if (isFinal) source.close();
    onLost(isFinal);
  });
  for (const type of Object.keys(concerns)) {
    source.addEventListener(type, ({ data }) => onEvent(/** @type {StreamEvent} */ (JSON.parse(String(data)))));
  }
  return source;
}

function draw() {
  drawing = false;
  const { copy } = live;
  const { connection, status, agents, reservations, runs, run, runProblem } = copy;
  document.body.dataset.connection = connection;
  say("connection", connectionWords[connection]);
  place("signed-out").hidden = connection !== "signed-out";
  place("content").hidden = connection === "signed-out";
  say("version", status?.version ?? "");
  if (agents !== undefined) fill(place("agents"), drawAgents(agents));
  if (reservations !== undefined) fill(place("reservations"), drawReservations(reservations));
  if (runs !== undefined)
    fill(place("runs"), drawRuns(runs, { shown: live.shownRun(), isFollowing: live.isFollowing() }));
  const waiting = drawWaiting(copy);
  fillOrHide("waiting", waiting?.content);
  fillOrHide("run", run !== undefined ? drawRun(run) : runProblem !== undefined ? drawNoRun(runProblem) : undefined);
  // Heard, not seen: the words alone, without the seconds that change beside them.
  say(
    "announcement",
    [waiting?.title, run && `The run is ${run.status.replaceAll("_", " ")}`].filter(Boolean).join(". "),
  );
  document.title = waiting === undefined ? "Sylk" : "(!) Sylk";
}

/**
 * @param {string} id
 * @param {readonly Child[] | undefined} content
 */
function fillOrHide(id, content) {
  place(id).hidden = content === undefined;
  if (content !== undefined) fill(place(id), content);
}

/**
 * @param {string} id
 * @param {string} words
 */
function say(id, words) {
  if (place(id).textContent !== words) place(id).textContent = words;
}

/** @param {string} id */
function place(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

/** @param {MouseEvent} click */
function showClickedRun(click) {
  const link = click.target instanceof Element ? click.target.closest("a[data-run]") : null;
  if (!(link instanceof HTMLAnchorElement) || click.metaKey || click.ctrlKey || click.shiftKey) return;
  click.preventDefault();
  history.pushState(null, "", link.href);
  live.show(runInAddress());
  place("run").scrollIntoView({ block: "nearest" });
}

function runInAddress() {
  return new URLSearchParams(location.search).get("run") ?? undefined;
}
