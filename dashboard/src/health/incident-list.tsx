/** Incidents, unresolved ones first, each with what to do about it. A person may resolve one with a word why. */
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";
import type { Incident } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { Answered, Section } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count } from "../parts/wording.ts";
import { useAction } from "../shell/use-action.ts";

export function Incidents({ chosen }: { readonly chosen: string | undefined }): ReactNode {
  const answer = useLive("incident.list", { all: true, limit: 50 });
  return (
    <Section title="Incidents" count={answer.data?.items.filter(isOpen).length}>
      <Answered answer={answer}>
        {({ items }) => (
          <>
            {items.length === 0 ? <p className="quiet">No incident is known.</p> : null}
            {chosen !== undefined && !items.some(({ id }) => id === chosen) ? (
              <p className="problem">The incident {chosen} is not among the last 50.</p>
            ) : null}
            <ul className="incidents">
              {[...items.filter(isOpen), ...items.filter((item) => !isOpen(item))].map((incident) => (
                <IncidentCard key={incident.id} incident={incident} isChosen={incident.id === chosen} />
              ))}
            </ul>
          </>
        )}
      </Answered>
    </Section>
  );
}

const isOpen = ({ resolvedAt }: Incident): boolean => resolvedAt === undefined;

function IncidentCard({ incident, isChosen }: { readonly incident: Incident; readonly isChosen: boolean }): ReactNode {
  const { summary, fix, failures, openedAt, lastError, resolvedAt, resolvedWhy, resolution, escalatedAt } = incident;
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: "center" });
  }, [isChosen]);
  return (
    <li ref={card} className={isChosen ? "card chosen" : "card"}>
      <p className="card-head">
        <StateMark
          state={resolvedAt === undefined ? "failed" : "closed"}
          label={resolvedAt === undefined ? (escalatedAt === undefined ? "open" : "escalated") : "resolved"}
        />
        <strong>{summary}</strong>
        <span className="quiet">
          {count(failures, "failure")}, opened <TimeAgo at={openedAt} />
        </span>
      </p>
      {lastError === undefined ? null : <pre className="error-text">{lastError}</pre>}
      {resolvedAt === undefined ? (
        <>
          <p>{fix}</p>
          <Resolve incident={incident} />
        </>
      ) : (
        <p className="quiet">
          Resolved <TimeAgo at={resolvedAt} />
          {resolution === "by-hand" ? " by a person" : " by itself"}
          {resolvedWhy === undefined ? "" : `: ${resolvedWhy}`}
        </p>
      )}
    </li>
  );
}

function Resolve({ incident: { id, summary } }: { readonly incident: Incident }): ReactNode {
  const { act, isBusy } = useAction();
  const [why, setWhy] = useState("");
  const resolve = (submitted: SubmitEvent): void => {
    submitted.preventDefault();
    const reason = why.trim() === "" ? {} : { why: why.trim() };
    void act("incident.resolve", { id, ...reason }, { done: `Resolved: ${summary}` });
  };
  return (
    <form className="decision" onSubmit={resolve}>
      <input
        value={why}
        onChange={({ target }) => setWhy(target.value)}
        placeholder="How it was resolved (optional)"
        aria-label={`How it was resolved: ${summary}`}
      />
      <button type="submit" disabled={isBusy}>
        Resolve
      </button>
    </form>
  );
}
