/** History: what the sessions of a project have kept, with source and score; promote, keep and archive. */
import { type ReactNode, useState } from "react";
import type { FoundEntry } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { changeTerms } from "../parts/change-terms.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Facts } from "../parts/facts.tsx";
import { LongList } from "../parts/long-list.tsx";
import { Answered, Empty, Section } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import type { Route } from "../shell/route.ts";
import { useAction } from "../shell/use-action.ts";
import type { ProjectInView } from "../shell/use-project.ts";
import { goTo, Link } from "../shell/use-route.tsx";
import { quoteWord } from "../parts/quote-word.ts";

type TabProps = { readonly route: Route; readonly project: ProjectInView };
export const historyWays = {
  entries: "entries",
  workflow: "similar workflows",
  failure: "similar failures",
  decision: "similar decisions",
  pattern: "similar patterns",
  brief: "a briefing",
};

export function HistoryTab({ route, project }: TabProps): ReactNode {
  const { how = "entries", text = "" } = route.terms;
  return (
    <>
      {how === "brief" ? (
        <Briefing task={text} project={project} />
      ) : how === "entries" || !(how in historyWays) ? (
        <Entries route={route} project={project} />
      ) : (
        <Similar route={route} project={project} />
      )}
      {route.id === undefined ? null : (
        <EntryDrawer key={route.id} id={route.id} project={project} onClose={() => goTo({ ...route, id: undefined })} />
      )}
    </>
  );
}

function Entries({ route, project }: TabProps): ReactNode {
  const { text = "", category, session, archived, promoted } = route.terms;
  const scope = session === undefined ? { allSessions: true } : { session };
  const given = { ...(text === "" ? {} : { query: text }), ...(category === undefined ? {} : { category }), ...scope };
  const found = useLive("history.list", { ...given, archived: archived !== undefined, limit: 200 }, { project });
  const sessions = useLive("history.sessions", { limit: 100 }, { project }).data?.items ?? [];
  const categories = [...new Set(sessions.flatMap((one) => Object.keys(one.categories)))].toSorted();
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    goTo({ ...route, terms: changeTerms(route.terms, changes) }, { replace: true });
  return (
    <>
      <div className="filters" role="group" aria-label="Filters">
        <select
          aria-label="Category"
          value={category ?? ""}
          onChange={({ target }) => change({ category: target.value })}
        >
          <option value="">any category</option>
          {categories.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <select aria-label="Session" value={session ?? ""} onChange={({ target }) => change({ session: target.value })}>
          <option value="">all sessions</option>
          {sessions.map((one) => (
            <option key={one.session} value={one.session}>
              {one.session} ({one.entries})
            </option>
          ))}
        </select>
        {(["promoted", "archived"] as const).map((name) => (
          <label key={name} className="check">
            <input
              type="checkbox"
              checked={route.terms[name] !== undefined}
              onChange={({ target }) => change({ [name]: target.checked ? "yes" : undefined })}
            />
            {name === "promoted" ? "Promoted only" : "Archived too"}
          </label>
        ))}
      </div>
      <Answered answer={found}>
        {({ items }) => (
          <EntryRows
            entries={promoted === undefined ? items : items.filter((one) => one.promoted !== undefined)}
            route={route}
          />
        )}
      </Answered>
      {session === undefined ? null : <Timeline session={session} project={project} />}
      <CommandLine text={commandOf(route.terms)} />
    </>
  );
}

function commandOf({ text, category, session, archived }: Route["terms"]): string {
  const words = [
    text && quoteWord(text),
    session === undefined ? "--all-sessions" : `--session ${quoteWord(session)}`,
    category && `--category ${quoteWord(category)}`,
    archived && "--archived",
  ];
  return ["sylk history", ...words.filter(Boolean)].join(" ");
}

function Similar({ route, project }: TabProps): ReactNode {
  const { text = "", how } = route.terms;
  const input = text === "" ? undefined : { text, of: how as "workflow", allSessions: true, limit: 50 };
  const found = useLive("history.similar", input, { project });
  if (input === undefined) return <Empty>Type what it should be like.</Empty>;
  return (
    <>
      <Answered answer={found}>{({ items }) => <EntryRows entries={items} route={route} />}</Answered>
      <CommandLine text={`sylk history similar ${quoteWord(text)} --of ${how} --all-sessions`} />
    </>
  );
}

function EntryRows({ entries, route }: { readonly entries: readonly FoundEntry[]; readonly route: Route }): ReactNode {
  return (
    <Section title="Entries" count={entries.length}>
      {entries.length > 0 ? null : (
        <Empty command='sylk history store "…" --category decision'>No entry is kept that fits.</Empty>
      )}
      <LongList className="rows" label="Entries">
        {entries.map(({ id, title, category, session, source, score, at, kept, archived, promoted }) => (
          <div key={id} role="listitem" className="row">
            <Link to={{ ...route, id }} className="row-title one-line">
              {title}
            </Link>
            {promoted === undefined ? null : <StateMark state="approved" label="promoted" />}
            {kept === true ? <StateMark state="active" label="kept" /> : null}
            {archived === true ? <StateMark state="paused" label="archived" /> : null}
            <span className="quiet">
              {category} · {source ?? "unknown source"} · {session}
              {score === undefined ? "" : ` · score ${score.toFixed(2)}`}
            </span>
            <TimeAgo at={at} />
          </div>
        ))}
      </LongList>
    </Section>
  );
}

function Timeline({ session, project }: { readonly session: string; readonly project: ProjectInView }): ReactNode {
  const found = useLive("history.timeline", { session: session, limit: 100 }, { project });
  return (
    <Section title="Timeline of the session">
      <Answered answer={found}>
        {({ items }) => (
          <LongList className="rows" label="Timeline">
            {items.map(({ id, title, status, at }) => (
              <div key={id} role="listitem" className="row">
                <span className="one-line">{title}</span>
                {status === undefined ? null : <StateMark state={status} />}
                <TimeAgo at={at} />
              </div>
            ))}
          </LongList>
        )}
      </Answered>
    </Section>
  );
}

function Briefing({ task, project }: { readonly task: string; readonly project: ProjectInView }): ReactNode {
  const found = useLive("history.brief", { allSessions: true, ...(task === "" ? {} : { task }) }, { project });
  return (
    <Section title="Briefing">
      <Answered answer={found}>{({ text }) => <p className="mail-body">{text}</p>}</Answered>
      <CommandLine text={`sylk brief${task === "" ? "" : ` --task ${quoteWord(task)}`} --all-sessions`} />
    </Section>
  );
}

type EntryProps = { readonly id: string; readonly project: ProjectInView; readonly onClose: () => void };

function EntryDrawer({ id, project, onClose }: EntryProps): ReactNode {
  const found = useLive("history.get", { id }, { project });
  const { act, isBusy } = useAction();
  const [reason, setReason] = useState("");
  return (
    <Drawer title={<span className="clamped">{found.data?.entry.title ?? "Entry"}</span>} onClose={onClose}>
      <Answered answer={found}>
        {({ entry: { session, category, source, at, kept, archived, promoted, content } }) => {
          const mark = (name: "keep" | "unkeep" | "archive" | "unarchive"): void =>
            void act("history.mark", { id, mark: name }, { project: project.path, done: `Done: ${name}.` });
          const done =
            promoted === undefined
              ? "All sessions of the project see the entry."
              : "Only its own session sees the entry.";
          return (
            <>
              <Facts
                rows={[
                  ["Category", category],
                  [
                    "Session",
                    <Link key="session" to={{ page: "knowledge", terms: { tab: "history", session } }}>
                      {session}
                    </Link>,
                  ],
                  ["Source", source],
                  ["Stored", <TimeAgo key="at" at={at} />],
                  ["Promoted", promoted === undefined ? "no" : `by ${promoted.by}: ${promoted.reason}`],
                ]}
              />
              <pre className="evidence" tabIndex={0} aria-label="Content">
                {JSON.stringify(content, null, 2)}
              </pre>
              <div className="decision">
                <button type="button" disabled={isBusy} onClick={() => mark(kept === true ? "unkeep" : "keep")}>
                  {kept === true ? "Do not keep" : "Keep"}
                </button>
                <button
                  type="button"
                  disabled={isBusy}
                  onClick={() => mark(archived === true ? "unarchive" : "archive")}
                >
                  {archived === true ? "Take out of the archive" : "Archive"}
                </button>
                <p className="quiet holds-for">
                  A kept entry stays through compaction, an archived one is left out of searches: for all agents that
                  see it.
                </p>
              </div>
              <div className="decision">
                <input
                  value={reason}
                  onChange={({ target }) => setReason(target.value)}
                  placeholder="Reason"
                  aria-label="Reason"
                />
                <button
                  type="button"
                  className="primary"
                  disabled={isBusy || reason.trim() === ""}
                  onClick={() =>
                    void act(
                      "history.promote",
                      { id, reason, revoke: promoted !== undefined },
                      { project: project.path, done },
                    )
                  }
                >
                  {promoted === undefined ? "Promote" : "Revoke"}
                </button>
                <p className="quiet holds-for">It holds for all sessions of {project.name}.</p>
              </div>
              <CommandLine text={`sylk history show ${id}`} />
            </>
          );
        }}
      </Answered>
    </Drawer>
  );
}
