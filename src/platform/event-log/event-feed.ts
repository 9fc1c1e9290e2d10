/**
 * Live views: each follower reads on from its own cursor, woken after a commit that concerns it.
 *
 *   bus "event.**" -> recent events -> followers of that type and project, a few per turn of the loop
 *                                        `-> page from memory when up to date, else from the log
 *
 * A slow follower is simply not asked for its next page: it stays at its cursor, holds no buffer of ours and never slows a
 * writer. Memory is bounded for any number of readers: the recent events are shared, a page has at most `pageBytes`.
 */
import type { EventFeed, LogEvent } from "../../contract/index.ts";
import type { Bus } from "../bus/index.ts";
import type { EventRepository } from "./event-log.ts";
import { readFollowersPage, typesMatching } from "./read-events.ts";
import { createRecentEvents, type RecentEvents } from "./recent-events.ts";

type Ports = {
  readonly reader: { readonly events: EventRepository };
  readonly bus: Bus<LogEvent>;
  readonly pageSize?: number;
  readonly pageBytes?: number;
};
type Follower = { wants(event: LogEvent): boolean; wake(): void };

/** Writers get a turn between so many followers: waking two hundred at once would make every answer wait for them. */
const followersPerTurn = 20;

export function createEventFeed({ reader, bus, pageSize = 200, pageBytes = 16_384 }: Ports): EventFeed {
  const followers = createFollowers(bus);
  return async function* feed({ after, type, project, signal }) {
    const types = typesMatching(type);
    const wanted = types === undefined ? undefined : new Set(types);
    const wants = (event: LogEvent): boolean =>
      (wanted?.has(event.type) ?? true) && (project ?? event.project) === event.project;
    let cursor = after;
    let wake = (): void => {};
    let pending = true;
    const notice = (): void => {
      pending = true;
      wake();
    };
    const { recent, leave } = followers.join({ wants, wake: notice });
    signal.addEventListener("abort", notice);
    try {
      while (!signal.aborted) {
        if (!pending) await new Promise<void>((resolve) => (wake = resolve));
        if (signal.aborted) return;
        pending = false;
        const limits = { count: pageSize, bytes: pageBytes };
        const news = recent.after(cursor, limits);
        if (news === undefined) {
          const page = await readFollowersPage({ after: cursor, limits, types, project }, { reader });
          cursor = page.lastSequence;
          if (page.more) pending = true;
          if (page.events.length > 0) yield page.events;
        } else if (news.length > 0) {
          cursor = news.at(-1)!.sequence;
          pending = true; // there may be more than fits into a page
          const events = news.filter(wants);
          if (events.length > 0) yield events;
        }
      }
    } finally {
      leave();
      signal.removeEventListener("abort", notice);
    }
  };
}

/** Recent events are kept, and commits listened to, only while there is a follower. */
function createFollowers(bus: Bus<LogEvent>) {
  const followers = new Set<Follower>();
  const woken = new Set<Follower>();
  let listening: { readonly recent: RecentEvents; readonly stop: () => void } | undefined;

  const wakeSome = (): void => {
    for (const follower of [...woken].slice(0, followersPerTurn)) {
      woken.delete(follower);
      follower.wake();
    }
    if (woken.size > 0) setImmediate(wakeSome);
  };
  const listen = () => {
    const recent = createRecentEvents();
    const stop = bus.subscribe("event.**", (event) => {
      recent.push(event);
      const idle = woken.size === 0;
      for (const follower of followers) if (follower.wants(event)) woken.add(follower);
      if (idle && woken.size > 0) setImmediate(wakeSome);
    });
    return { recent, stop };
  };
  return {
    join(follower: Follower) {
      listening ??= listen();
      followers.add(follower);
      return {
        recent: listening.recent,
        leave() {
          followers.delete(follower);
          woken.delete(follower);
          if (followers.size > 0) return;
          listening?.stop();
          listening = undefined;
        },
      };
    },
  };
}
