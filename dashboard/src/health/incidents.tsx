/** Incidents: what happened, how to fix it, and the word of the person who resolves it. */
import { type SubmitEvent, type ReactNode, useState } from "react";
import type { OutputOf } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Facts } from "../parts/facts.tsx";
import { Answered, Empty, Section } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count, words } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import { useAction } from "../shell/use-action.ts";
import { goTo, Link } from "../shell/use-route.tsx";

type Incident = OutputOf<"incident.list">["items"][number];

export function IncidentList({ showsAll, route }: { readonly showsAll: boolean; readonly route: Route }): ReactNode {
  const answer = useLive("incident.list", { all: showsAll, limit: 100 });
  const { incidents: _, ...terms } = route.terms;
  return (
    <Answered answer={answer}>
      {({ items, nextCursor }) => (
        <Section
          title={showsAll ? "All incidents" : "Unresolved incidents"}
          count={items.length}
          actions={
            <Link to={{ page: "health", terms: showsAll ? terms : { ...terms, incidents: "all" } }}>
              {showsAll ? "Only unresolved" : "Also resolved"}
            </Link>
          }
        >
          {items.length === 0 ? (
            <Empty>{showsAll ? "There was no incident." : "No incident is unresolved."}</Empty>
          ) : null}
          <ul className="incidents">
            {items.map((incident) => (
              <IncidentCard key={incident.id} incident={incident} />
            ))}
          </ul>
          {nextCursor === undefined ? null : (
            <p className="quiet">
              The newest 100 are shown. The rest: <CommandLine text="sylk incident list --all" />
            </p>
          )}
        </Section>
      )}
    </Answered>
  );
}

function IncidentCard({ incident }: { readonly incident: Incident }): ReactNode {
  const { id, summary, fix, lastFailureAt, failures } = incident;
  return (
    <li className="card">
      <div className="card-head">
        <Link to={{ page: "health", id }} className="row-title">
          {summary}
        </Link>
        <StateOf incident={incident} />
        <span className="quiet">{count(failures, "failure")}</span>
        <TimeAgo at={lastFailureAt} />
      </div>
      <p>Fix: {fix}</p>
      {incident.resolvedWhy === undefined ? null : <p className="quiet">Resolved: {incident.resolvedWhy}</p>}
      {incident.resolvedAt === undefined ? <ResolveForm id={id} /> : null}
    </li>
  );
}

function StateOf({ incident: { resolvedAt, resolution, escalatedAt } }: { readonly incident: Incident }): ReactNode {
  if (resolvedAt !== undefined)
    return <StateMark state="pass" label={`resolved (${words(resolution ?? "by-hand")})`} />;
  return escalatedAt === undefined ? (
    <StateMark state="waiting" label="unresolved" />
  ) : (
    <StateMark state="failed" label="keeps failing" />
  );
}

function ResolveForm({ id }: { readonly id: Incident["id"] }): ReactNode {
  const { act, isBusy } = useAction();
  const [why, setWhy] = useState("");
  const resolve = (form: SubmitEvent): void => {
    form.preventDefault();
    const given = why.trim();
    void act(
      "incident.resolve",
      { id, ...(given === "" ? {} : { why: given }) },
      { done: "The incident is resolved. A further failure opens a new one." },
    );
  };
  return (
    <form className="decision" onSubmit={resolve}>
      <input
        aria-label="How it was resolved"
        placeholder="How it was resolved"
        maxLength={500}
        value={why}
        onChange={({ target }) => setWhy(target.value)}
      />
      <button type="submit" disabled={isBusy}>
        Resolve
      </button>
      <p className="quiet holds-for">It holds for this incident, for all projects and agents of this machine.</p>
    </form>
  );
}

/** By its id, also after it was resolved; one that is gone is said to be gone. */
export function IncidentDrawer({ id, route }: { readonly id: string; readonly route: Route }): ReactNode {
  const answer = useLive("incident.list", { all: true, limit: 500 });
  return (
    <Drawer title="Incident" onClose={() => goTo({ ...route, id: undefined })}>
      <Answered answer={answer}>
        {({ items }) => {
          const incident = items.find((candidate) => candidate.id === id);
          if (incident === undefined)
            return <p className="problem">There is no incident “{id}” among the newest 500.</p>;
          return (
            <>
              <p>
                <strong>{incident.summary}</strong>
              </p>
              <Facts
                rows={[
                  ["State", <StateOf key="state" incident={incident} />],
                  ["Likely cause", words(incident.cause)],
                  ["Rule", words(incident.rule)],
                  ["Components", incident.components.join(", ")],
                  ["Failures", incident.failures],
                  ["Last error", incident.lastError],
                  ["Opened", <TimeAgo key="opened" at={incident.openedAt} />],
                  ["Last failure", <TimeAgo key="failure" at={incident.lastFailureAt} />],
                  ...(incident.resolvedAt === undefined
                    ? []
                    : [
                        ["Resolved", <TimeAgo key="resolved" at={incident.resolvedAt} />] as const,
                        ["Why", incident.resolvedWhy] as const,
                      ]),
                  ["Fix", incident.fix],
                ]}
              />
              {incident.resolvedAt === undefined ? <ResolveForm id={incident.id} /> : null}
              <CommandLine text={`sylk incident resolve ${incident.id}`} />
            </>
          );
        }}
      </Answered>
    </Drawer>
  );
}
