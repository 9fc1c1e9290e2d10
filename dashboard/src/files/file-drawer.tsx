/** One path: who holds it and why, who waits, and its kept versions with their differences. */
import { type ReactNode, useState } from "react";
import type { OutputOf } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { quoteWord } from "../parts/quote-word.ts";
import { Drawer } from "../parts/drawer.tsx";
import { Answered } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { words } from "../parts/wording.ts";
import { useAction } from "../shell/use-action.ts";
import type { ProjectInView } from "../shell/use-project.ts";
import { Link } from "../shell/use-route.tsx";
import { forecastsIn, waitersFor } from "./collect-marks.ts";

type FileDrawerProps = {
  readonly path: string;
  readonly projects: readonly ProjectInView[];
  readonly onClose: () => void;
};

export function FileDrawer({ path, projects, onClose }: FileDrawerProps): ReactNode {
  return (
    <Drawer title={<code>{path}</code>} onClose={onClose}>
      {projects.length === 1 ? (
        <FileFacts path={path} project={projects[0]!} />
      ) : (
        <p className="quiet">Choose a project: a path belongs to one.</p>
      )}
      <CommandLine text={`sylk file history ${quoteWord(path)}`} />
    </Drawer>
  );
}

function FileFacts({ path, project }: { readonly path: string; readonly project: ProjectInView }): ReactNode {
  const holds = useLive("reservation.list", { path, limit: 500 }, { project });
  const events =
    useLive("event.list", { type: "reservation.*", newest: true, limit: 500 }, { project }).data?.items ?? [];
  const agents = useLive("agent.list", { limit: 500 }, { project }).data?.items ?? [];
  const versions = useLive("file.history", { path, limit: 100 }, { project });
  const { act, isBusy } = useAction();
  const held = new Set<string>(holds.data?.items.map(({ id }) => id));
  return (
    <>
      <h3>Held by</h3>
      <Answered answer={holds}>
        {({ items }) => (
          <ul className="rows">
            {items.length === 0 ? <li className="quiet">No agent holds it.</li> : null}
            {items.slice(0, 50).map(({ id, holder, mode, reason, expiresAt, tree }) => (
              <li key={id} title={tree}>
                <Link to={{ page: "agents", id: holder.id }}>{holder.name}</Link>
                <StateMark state={holder.status} />
                <span className="quiet">{mode}</span>
                <span>{reason}</span>
                <span className="quiet">
                  ends <TimeAgo at={expiresAt} />
                </span>
                {waitersFor(id, agents, events).map((waiter) => (
                  <span key={`${waiter.id} ${waiter.how}`} className="waits">
                    <Link to={{ page: "agents", id: waiter.id }}>{waiter.name}</Link> waits ({waiter.how}, since{" "}
                    <TimeAgo at={waiter.since} />)
                  </span>
                ))}
                {holder.client === "human" ? (
                  <button
                    type="button"
                    className="small"
                    disabled={isBusy}
                    onClick={() => void act("reservation.release", { id }, { project: project.path, done: "Released" })}
                  >
                    Release
                  </button>
                ) : (
                  <button
                    type="button"
                    className="small"
                    disabled={isBusy}
                    onClick={() =>
                      void act(
                        "reservation.ask",
                        { id },
                        { project: project.path, done: `Asked ${holder.name} to release it` },
                      )
                    }
                  >
                    Ask {holder.name} to release it
                  </button>
                )}
                {holder.client === "human" && waitersFor(id, agents, events).length > 0 ? (
                  <Link to={{ page: "inbox" }}>Answer in the inbox</Link>
                ) : null}
              </li>
            ))}
            {items.length > 50 ? <li className="quiet">and {items.length - 50} more</li> : null}
          </ul>
        )}
      </Answered>
      {forecastsIn(events, held)
        .filter(({ overlap }) => overlap === path)
        .map(({ reservation, other }) => (
          <p key={`${reservation.id} ${other.id}`}>
            A merge conflict is coming: {reservation.holder.name} and {other.holder.name} hold it in two worktrees.
          </p>
        ))}
      <h3>Versions</h3>
      <Answered answer={versions}>{({ items }) => <Versions path={path} project={project} items={items} />}</Answered>
    </>
  );
}

type VersionsProps = {
  readonly path: string;
  readonly project: ProjectInView;
  readonly items: OutputOf<"file.history">["items"];
};

function Versions({ path, project, items }: VersionsProps): ReactNode {
  const [from, setFrom] = useState<VersionsProps["items"][number]["id"]>();
  const [isAsking, setAsking] = useState(false);
  const diff = useLive("file.diff", from === undefined ? undefined : { path, from }, { project });
  const { act, isBusy } = useAction();
  if (items.length === 0) return <p className="quiet">No version of it is kept.</p>;
  const restore = async (): Promise<void> => {
    const output = await act(
      "file.restore",
      { path, version: from },
      { project: project.path, done: `Restored ${path}` },
    );
    setAsking(false);
    if (output !== undefined) setFrom(undefined); // the difference was to the file before
  };
  return (
    <>
      <ul className="rows">
        {items.map(({ id, seenAt, author, bytes, seen, state }) => (
          <li key={id}>
            <button type="button" className="small" aria-pressed={from === id} onClick={() => setFrom(id)}>
              Compare with the file now
            </button>
            <span>{author?.name ?? "author unknown"}</span>
            <span className="quiet">
              {words(seen)} · {state === "kept" ? `${bytes ?? 0} bytes` : words(state)}
            </span>
            <TimeAgo at={seenAt} />
          </li>
        ))}
      </ul>
      {from === undefined ? null : (
        <>
          <Answered answer={diff}>
            {({ patch, notes }) => (
              <pre className="file-patch" tabIndex={0} aria-label="Difference">
                {patch === "" ? ["The file has this content now.", ...notes].join("\n") : patch}
              </pre>
            )}
          </Answered>
          {isAsking ? (
            <p className="callout">
              This replaces the content of <code>{path}</code> in {project.name} now, for everyone who works in that
              tree. The replaced content is kept as a version.{" "}
              <button type="button" className="danger" disabled={isBusy} onClick={() => void restore()}>
                Replace it
              </button>{" "}
              <button type="button" onClick={() => setAsking(false)}>
                Keep the file
              </button>
            </p>
          ) : (
            <button type="button" className="restore" onClick={() => setAsking(true)}>
              Restore this version…
            </button>
          )}
        </>
      )}
    </>
  );
}
