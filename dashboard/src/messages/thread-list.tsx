/** Threads of mail, the newest first. */
import type { ReactNode } from "react";
import { LongList } from "../parts/long-list.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import { Link } from "../shell/use-route.tsx";
import { audienceOf, type MailThread } from "./build-threads.ts";

type ThreadListProps = {
  readonly threads: readonly MailThread[];
  readonly unread: ReadonlySet<string>;
  /** Ids of messages with an overdue acknowledgement. */
  readonly overdue: ReadonlySet<string>;
  readonly route: Route;
};

export function ThreadList({ threads, unread, overdue, route }: ThreadListProps): ReactNode {
  const rows = threads.map((thread) => {
    const { messages } = thread;
    const [first, last] = [messages[0]!, messages.at(-1)!];
    const unreadHere = messages.filter(({ id }) => unread.has(id)).length;
    return (
      <div key={thread.id} role="listitem" className="row thread-row">
        <Link to={{ ...route, id: last.id }} className="row-title one-line">
          {first.subject}
        </Link>
        <span className="marks">
          {unreadHere === 0 ? null : <StateMark state="active" label={`${unreadHere} unread`} />}
          {messages.some(({ id }) => overdue.has(id)) ? <StateMark state="stuck" label="overdue" /> : null}
          {["high", "urgent"].includes(last.importance) ? <StateMark state="waiting" label={last.importance} /> : null}
        </span>
        <span className="quiet one-line">
          <bdi>{last.from.name}</bdi> to <bdi>{audienceOf(last)}</bdi>
        </span>
        <span className="quiet">{count(messages.length, "message")}</span>
        <TimeAgo at={last.sentAt} />
      </div>
    );
  });
  return (
    <LongList className="rows" label="Threads">
      {rows}
    </LongList>
  );
}
