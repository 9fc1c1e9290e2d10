/**
 * The log as rows, virtualised. Following keeps the newest in view until the reader scrolls away, by finger, wheel, key or
 * bar. Rows that change their height move the list too: that is not the reader.
 */
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { VList, type VListHandle } from "virtua";
import { Empty } from "../parts/section.tsx";
import { count } from "../parts/wording.ts";
import { Link, useRoute } from "../shell/use-route.tsx";
import type { LogRow } from "./filter-events.ts";
import { sayEvent } from "./say-event.ts";
import type { EventLogHandle } from "./use-event-log.ts";

type EventListProps = { readonly log: EventLogHandle; readonly rows: readonly LogRow[]; readonly isFiltered: boolean };

const nearPx = 48;
const upKeys: ReadonlySet<string> = new Set(["ArrowUp", "PageUp", "Home"]);

export function EventList({ log, rows, isFiltered }: EventListProps): ReactNode {
  const { isFollowing, unseen, isLoading, isReady, reachedStart, problem } = log.view;
  const list = useRef<VListHandle>(null);
  const box = useRef<HTMLElement>(null);
  const last = useRef({ first: 0, offset: 0, isByReader: false });
  const first = keyOf(rows[0]);
  const isPrepended = last.current.first > 0 && first > 0 && first < last.current.first;
  useEffect(() => {
    last.current.first = first;
  });
  useLayoutEffect(() => {
    if (isFollowing && rows.length > 0) list.current?.scrollToIndex(rows.length - 1, { align: "end" });
  }, [isFollowing, rows]);
  useEffect(() => {
    const rowsBox = box.current?.querySelector(".event-rows");
    if (!isFollowing || rowsBox === null || rowsBox === undefined) return;
    // A resized window makes rows higher or lower: the newest one stays in view.
    const observer = new ResizeObserver(() => list.current?.scrollToIndex(rows.length - 1, { align: "end" }));
    for (const part of [rowsBox, rowsBox.firstElementChild]) if (part !== null) observer.observe(part);
    return () => observer.disconnect();
  }, [isFollowing, rows.length]);
  useEffect(() => {
    const forget = (): void => void (last.current.isByReader = false);
    addEventListener("resize", forget);
    return () => removeEventListener("resize", forget);
  }, []);
  const onScroll = (offset: number): void => {
    const { current } = list;
    if (current === null) return;
    const isUp = last.current.isByReader && offset < last.current.offset - 4;
    last.current.offset = offset;
    const isAtEnd = offset + current.viewportSize >= current.scrollSize - nearPx;
    if (isUp && !isAtEnd) log.unfollow();
    if (offset < 4 * nearPx && isUp) void log.loadOlder();
  };
  /** The reader moves up: also the first movement counts, before which no offset is known. */
  const moveUp = (): void => {
    const { current } = list;
    last.current.isByReader = true;
    if (current !== null && current.scrollSize > current.viewportSize) log.unfollow();
  };
  return (
    <section ref={box} className="event-log" aria-label="Event log, newest at the bottom">
      <div className="event-log-head">
        <button
          type="button"
          className="small"
          disabled={isLoading || reachedStart}
          onClick={() => {
            log.unfollow();
            void log.loadOlder();
          }}
        >
          {reachedStart ? "This is the beginning" : isLoading ? "Reading…" : "Read older events"}
        </button>
        <span className="quiet">{count(rows.filter(({ kind }) => kind === "event").length, "event")}</span>
        <button
          type="button"
          className={unseen > 0 ? "small primary follow" : "small follow"}
          aria-pressed={isFollowing}
          onClick={() => (isFollowing ? log.unfollow() : void log.follow())}
        >
          {isFollowing ? "Following" : unseen > 0 ? count(unseen, "new event") : "Follow"}
        </button>
      </div>
      {problem === undefined ? null : (
        <p className="problem" role="alert">
          {problem.message}
        </p>
      )}
      {isReady && rows.length === 0 ? (
        <Empty command="sylk events --follow">
          {isFiltered
            ? reachedStart
              ? "No event matches these filters."
              : "None of the events read so far matches. Read older ones."
            : "Nothing has happened yet. Each change of Sylk is recorded here."}
        </Empty>
      ) : null}
      {rows.length === 0 ? null : (
        <VList
          ref={list}
          className="event-rows"
          role="log"
          aria-label="Events"
          aria-live="off"
          tabIndex={0}
          shift={isPrepended}
          onScroll={onScroll}
          onPointerDown={() => void (last.current.isByReader = true)}
          onWheel={({ deltaY }) => (deltaY < 0 ? moveUp() : undefined)}
          onKeyDown={({ key }) => (upKeys.has(key) ? moveUp() : undefined)}
          data={rows}
        >
          {(row) =>
            row.kind === "gap" ? (
              <GapRow key={`gap ${row.after}`} row={row} />
            ) : (
              <EventRow key={row.event.sequence} row={row} />
            )
          }
        </VList>
      )}
    </section>
  );
}

function keyOf(row: LogRow | undefined): number {
  return row === undefined ? 0 : row.kind === "gap" ? row.upTo : row.event.sequence;
}

function EventRow({ row: { event } }: { readonly row: Extract<LogRow, { kind: "event" }> }): ReactNode {
  const { terms } = useRoute();
  const at = new Date(event.at);
  return (
    <div className="event-row">
      <time className="time" dateTime={at.toISOString()} title={at.toLocaleString()}>
        {at.toTimeString().slice(0, 8)}
      </time>
      <Link to={{ page: "events", id: String(event.sequence), terms }} className="event-sentence">
        {sayEvent(event)}
      </Link>
      <code className="quiet event-type">{event.type}</code>
      <span className="quiet event-number">{event.sequence}</span>
    </div>
  );
}

function GapRow({ row: { after, upTo } }: { readonly row: Extract<LogRow, { kind: "gap" }> }): ReactNode {
  return (
    <p className="event-gap">
      Gap: events {(after + 1).toLocaleString("en")} to {upTo.toLocaleString("en")} are no longer kept.
    </p>
  );
}
