/** Health: whether agents are protected, incidents, components, doctor results, companions, and the daemon itself. */
import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Facts } from "../parts/facts.tsx";
import { Answered, Empty, Section } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count } from "../parts/wording.ts";
import type { PageProps } from "../shell/page-props.ts";
import { Link } from "../shell/use-route.tsx";
import { useProject } from "../shell/use-project.ts";
import { ComponentTable } from "./component-table.tsx";
import { Doctor } from "./doctor.tsx";
import "./health.css";
import { IncidentDrawer, IncidentList } from "./incidents.tsx";
import { silentAgents, type SilentAgent } from "./sort-components.ts";

export function HealthPage({ route }: PageProps): ReactNode {
  const project = useProject();
  const health = useLive("health.show", {}, { project });
  return (
    <div className="page health">
      <header className="page-head">
        <h2>Health</h2>
        <CommandLine text="sylk health" />
      </header>
      <Answered answer={health}>
        {({ enforced, whyNot, components, agents, degraded, unguarded, guards }) => (
          <>
            <section className={enforced ? "protection good" : "protection bad"} aria-label="Protection">
              <p>
                <StateMark state={enforced ? "pass" : "fail"} label={enforced ? "Enforced" : "Not enforced"} />{" "}
                {enforced
                  ? "Reservations are enforced: the store accepts changes."
                  : `Agents are unprotected: ${whyNot ?? "the store refuses changes"}.`}
              </p>
              <p className="quiet">
                {count(degraded, "decision")} made without protection. {count(unguarded, "command")} allowed with
                unknown write targets. When the daemon does not answer, the edit guard is <strong>{guards.edit}</strong>{" "}
                and the commit guard is <strong>{guards.commit}</strong>.
              </p>
            </section>
            <IncidentList showsAll={route.terms["incidents"] === "all"} route={route} />
            <SilentReporters agents={silentAgents(agents)} />
            <Section title="Components" count={components.length}>
              {components.length === 0 ? (
                <Empty command="sylk install claude-code">No component has reported yet.</Empty>
              ) : (
                <ComponentTable components={components} />
              )}
            </Section>
          </>
        )}
      </Answered>
      <Doctor project={project} />
      <Companions />
      <DaemonFacts />
      {route.id === undefined ? null : <IncidentDrawer id={route.id} route={route} />}
    </div>
  );
}

function SilentReporters({ agents }: { readonly agents: readonly SilentAgent[] }): ReactNode {
  if (agents.length === 0) return null;
  return (
    <Section title="Not measured" count={agents.length}>
      <ul className="rows">
        {agents.map(({ agent, measurement, lastReportAt }) => (
          <li key={agent.id}>
            <Link to={{ page: "agents", id: agent.id }} className="row-title">
              {agent.name}
            </Link>
            {measurement === "stopped" ? (
              <>
                <StateMark state="blocked" label="reports stopped" />
                <span>It works, and its reports ended.</span>
              </>
            ) : (
              <>
                <StateMark state="pending" label="never measured" />
                <span className="quiet">Nothing has reported for it.</span>
              </>
            )}
            {lastReportAt === undefined ? null : <TimeAgo at={lastReportAt} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const companionMarks = { active: "active", outdated: "blocked", missing: "failed" } as const;

function Companions(): ReactNode {
  const answer = useLive("companion.list", {});
  return (
    <Answered answer={answer}>
      {({ items }) => (
        <Section title="Companions" count={items.length} actions={<CommandLine text="sylk companions" />}>
          {items.length === 0 ? (
            <Empty command="sylk install claude-code">No client’s hooks are installed.</Empty>
          ) : null}
          <ul className="rows">
            {items.map(({ name, tree, state, why }) => (
              <li key={`${name} ${tree ?? ""}`}>
                <strong>{name}</strong>
                <StateMark state={companionMarks[state]} label={state} />
                <span className="quiet">{tree === undefined ? "for all repositories" : <code>{tree}</code>}</span>
                {why.map((sentence) => (
                  <span key={sentence} className="task">
                    {sentence}
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Answered>
  );
}

function DaemonFacts(): ReactNode {
  const answer = useLive("daemon.status", {});
  return (
    <Answered answer={answer}>
      {({ version, pid, home, socket, url, store, startedAt, agents, sessions, pool, troubles }) => (
        <Section title="Daemon">
          {troubles.length === 0 ? (
            <p className="quiet">The daemon knows of no trouble with its home, store, log or notifier.</p>
          ) : (
            <ul className="problems">
              {troubles.map(({ part, what, fix }) => (
                <li key={`${part} ${what}`}>
                  <strong>
                    {part}: {what}
                  </strong>
                  <p>{fix}</p>
                </li>
              ))}
            </ul>
          )}
          <Facts
            rows={[
              ["Version", version],
              ["Process", pid],
              ["Started", <TimeAgo key="started" at={startedAt} />],
              ["Home", <code key="home">{home}</code>],
              ["Socket", <code key="socket">{socket}</code>],
              ["Address", url === null ? "switched off" : <code key="url">{url}</code>],
              [
                "Store",
                <span key="store">
                  <StateMark state={store.state === "ok" ? "pass" : "fail"} label={store.state} />{" "}
                  <code>{store.file}</code> {store.reason}
                </span>,
              ],
              ["Agents", agents],
              ["Sessions", sessions],
              [
                "Engineers",
                pool === undefined ? undefined : `${pool.running} at work of ${pool.limit}, ${pool.waiting} waiting`,
              ],
            ]}
          />
          <CommandLine text="sylk status" />
        </Section>
      )}
    </Answered>
  );
}
