/** Mail between agents and people, as threads. Opening a thread marks nothing as read. */
import type { ReactNode } from "react";
import type { Mail, OutputOf } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { changeTerms } from "../parts/change-terms.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { quoteWord } from "../parts/quote-word.ts";
import { SearchField } from "../parts/search-field.tsx";
import { Answered, Empty, Section } from "../parts/section.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import type { PageProps } from "../shell/page-props.ts";
import type { Route } from "../shell/route.ts";
import { useProject } from "../shell/use-project.ts";
import { goTo, Link } from "../shell/use-route.tsx";
import { buildThreads, filterThreads } from "./build-threads.ts";
import { ThreadDrawer } from "./thread-drawer.tsx";
import { ThreadList } from "./thread-list.tsx";
import { type UnreadMail, useUnread } from "./use-unread.ts";
import { WriteMessage } from "./write-message.tsx";
import "./messages.css";

export function MessagesPage({ route }: PageProps): ReactNode {
  const project = useProject();
  const { terms, id } = route;
  const all = project === undefined;
  const unread = useUnread(project);
  const { text, topic, before } = terms;
  const asked = Object.entries({ query: text, topic, cursor: before }).filter(([, value]) => value !== undefined);
  const found = useLive(
    "mail.search",
    { ...Object.fromEntries(asked), all, limit: 100, maxBytes: 65_536 },
    { project },
  );
  const overdue = useLive("mail.overdue", { all, limit: 200 }, { project }).data?.items ?? [];
  const close = (): void => goTo({ ...route, id: undefined, terms: changeTerms(terms, { write: undefined }) });
  return (
    <div className="page messages-page">
      <header className="page-head">
        <h2>Messages</h2>
        <CommandLine text={commandOf(terms, all)} />
        <button type="button" className="primary" onClick={() => goTo({ ...route, terms: { ...terms, write: "new" } })}>
          Write a message
        </button>
      </header>
      <MessageFilters route={route} />
      {overdue.length === 0 ? null : <Overdue items={overdue} route={route} />}
      <Answered answer={found}>
        {({ items, nextCursor }) => (
          <Threads messages={items} nextCursor={nextCursor} route={route} unread={unread} overdue={overdue} />
        )}
      </Answered>
      {id === undefined ? null : <ThreadDrawer key={id} id={id} unread={unread} onClose={close} />}
      {id !== undefined || terms["write"] === undefined ? null : (
        <Drawer title="Write a message" onClose={close}>
          <WriteMessage
            onSent={(sent) => goTo({ ...route, id: sent, terms: changeTerms(terms, { write: undefined }) })}
          />
        </Drawer>
      )}
    </div>
  );
}

function commandOf({ text, topic }: Route["terms"], all: boolean): string {
  const words = [text && quoteWord(text), topic && `--topic ${quoteWord(topic)}`, all && "--all"];
  return ["sylk mail search", ...words.filter(Boolean)].join(" ");
}

type ThreadsProps = {
  readonly messages: readonly Mail[];
  readonly nextCursor: string | undefined;
  readonly route: Route;
  readonly unread: UnreadMail;
  readonly overdue: OutputOf<"mail.overdue">["items"];
};

function Threads({ messages, nextCursor, route, unread, overdue }: ThreadsProps): ReactNode {
  const { terms } = route;
  const { before, agent, unread: onlyUnread } = terms;
  const unreadIds = new Set(unread.places.keys());
  const isFiltered = ["text", "topic", "agent", "unread", "before"].some((name) => terms[name] !== undefined);
  const source = onlyUnread === undefined ? messages : [...unread.messages, ...messages];
  const threads = filterThreads(buildThreads(source), {
    agent,
    unread: onlyUnread === undefined ? undefined : unreadIds,
  });
  return (
    <Section title="Threads" count={threads.length}>
      {threads.length > 0 ? null : isFiltered ? (
        <Empty>
          No message matches these filters. <Link to={{ ...route, terms: {} }}>Show all messages</Link>
        </Empty>
      ) : (
        <Empty command='sylk mail send "…" --to heron'>
          No message was sent yet. Agents write to each other by mail.
        </Empty>
      )}
      <ThreadList threads={threads} unread={unreadIds} overdue={new Set(overdue.map(({ id }) => id))} route={route} />
      {unread.hasMore && onlyUnread !== undefined ? (
        <p className="quiet">More unread mail follows when these are read.</p>
      ) : null}
      {before === undefined && nextCursor === undefined ? null : (
        <p className="pager">
          {before === undefined ? null : (
            <Link to={{ ...route, terms: changeTerms(terms, { before: undefined }) }}>Newest messages</Link>
          )}
          {nextCursor === undefined ? null : (
            <Link to={{ ...route, terms: changeTerms(terms, { before: nextCursor }) }}>Older messages</Link>
          )}
        </p>
      )}
    </Section>
  );
}

function Overdue({
  items,
  route,
}: {
  readonly items: OutputOf<"mail.overdue">["items"];
  readonly route: Route;
}): ReactNode {
  return (
    <Section title="Overdue acknowledgements" count={items.length}>
      <ul className="rows" aria-label="Overdue acknowledgements">
        {items.map(({ id, subject, from, waitingFor, ackDueAt }) => (
          <li key={`${id} ${waitingFor.id}`}>
            <Link to={{ ...route, id }} className="row-title one-line">
              {subject}
            </Link>
            <span className="quiet">
              <bdi>{from.name}</bdi> waits for <bdi>{waitingFor.name}</bdi>
            </span>
            <TimeAgo at={ackDueAt} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function MessageFilters({ route }: { readonly route: Route }): ReactNode {
  const { terms } = route;
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    goTo({ ...route, terms: changeTerms(terms, { before: undefined, ...changes }) }, { replace: true });
  return (
    <div className="filters" role="group" aria-label="Filters">
      <SearchField label="Text" placeholder="Words" value={terms["text"] ?? ""} onSearch={(text) => change({ text })} />
      <SearchField
        label="Topic"
        placeholder="Topic"
        value={terms["topic"] ?? ""}
        onSearch={(topic) => change({ topic })}
      />
      <SearchField
        label="Agent"
        placeholder="Agent"
        value={terms["agent"] ?? ""}
        onSearch={(agent) => change({ agent })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={terms["unread"] !== undefined}
          onChange={({ target }) => change({ unread: target.checked ? "yes" : undefined })}
        />
        Unread
      </label>
    </div>
  );
}
