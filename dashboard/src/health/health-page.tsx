/** Health: whether agents are protected now, incidents, every component with its figures, what is installed, the daemon. */
import type { ReactNode } from "react";
import type { OutputOf } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Facts } from "../parts/facts.tsx";
import { Answered, Section } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count, words } from "../parts/wording.ts";
import type { PageProps } from "../shell/page-props.ts";
import { useProject } from "../shell/use-project.ts";
import { ComponentTable } from "./component-table.tsx";
import { Incidents } from "./incident-list.tsx";
import "./health.css";

export function HealthPage({ route }: PageProps): ReactNode {
  const project = useProject();
  const health = useLive("health.show", {}, { project });
  return (
    <div className="page health">
      <header className="page-head">
        <h2>Health</h2>
        <CommandLine text="sylk doctor" />
      </header>
      <Answered answer={health}>
        {(data) => (
          <>
            <Protection health={data} />
            <Incidents chosen={route.id} />
            <Section title="Components" count={data.components.length}>
              <ComponentTable components={data.components} />
            </Section>
            <Reporters agents={data.agents} />
          </>
        )}
      </Answered>
      <Companions />
      <DaemonFacts />
    </div>
  );
}

function Protection({ health }: { readonly health: OutputOf<"health.show"> }): ReactNode {
  const { enforced, whyNot, degraded, unguarded, guards } = health;
  return (
    <Section title="Protection">
      <p>
        <StateMark state={enforced ? "live" : "failed"} label={enforced ? "enforced" : "not enforced"} />{" "}
        {enforced ? "The daemon decides about every guarded edit and commit." : (whyNot ?? "The reason is not known.")}
      </p>
      <Facts
        rows={[
          ["Without protection", count(degraded, "decision")],
          ["Unknown targets", `${count(unguarded, "command")} allowed although their write targets are unknown`],
          ["Without a daemon", `edits ${words(guards.edit)}, commits ${words(guards.commit)}`],
        ]}
      />
    </Section>
  );
}

function Reporters({ agents }: { readonly agents: OutputOf<"health.show">["agents"] }): ReactNode {
  const silent = agents.filter(({ measurement }) => measurement !== "measured");
  if (silent.length === 0) return null;
  return (
    <Section title="Silent reporters" count={silent.length}>
      <ul className="rows">
        {silent.map(({ agent, measurement, lastReportAt }) => (
          <li key={agent.id}>
            <span className="row-title">{agent.name}</span>
            <span>{measurement === "never" ? "never measured" : "measured before, silent now"}</span>
            {lastReportAt === undefined ? null : <TimeAgo at={lastReportAt} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Companions(): ReactNode {
  const answer = useLive("companion.list", {});
  return (
    <Section title="Installed" count={answer.data?.items.length}>
      <Answered answer={answer}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet">Nothing is installed: no hooks of clients, no commit gate.</p>
          ) : (
            <ul className="rows">
              {items.map(({ name, tree, state, why }) => (
                <li key={`${name} ${tree ?? ""}`}>
                  <span className="row-title">{name}</span>
                  <StateMark state={state === "active" ? "live" : "blocked"} label={state} />
                  <span className="quiet">{tree ?? "all trees"}</span>
                  <span className="task">{why.join(" ")}</span>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Section>
  );
}

function DaemonFacts(): ReactNode {
  const answer = useLive("daemon.status", {});
  return (
    <Section title="Daemon">
      <Answered answer={answer}>
        {({ version, pid, home, socket, url, store, startedAt, troubles, agents, sessions, pool }) => (
          <>
            {troubles.map(({ part, what, fix }) => (
              <p key={part} className="problem">
                {what} {fix}
              </p>
            ))}
            <Facts
              rows={[
                ["Version", version],
                ["Process", pid],
                ["Started", <TimeAgo key="started" at={startedAt} />],
                ["Home", <code key="home">{home}</code>],
                ["Socket", <code key="socket">{socket}</code>],
                ["Address", url ?? "switched off"],
                [
                  "Store",
                  store.state === "ok" ? "takes changes" : `refuses changes: ${store.reason ?? "no reason given"}`,
                ],
                ["Live agents", agents],
                ["Open sessions", sessions],
                [
                  "Engineers",
                  pool === undefined
                    ? undefined
                    : `${pool.running} at work, ${pool.waiting} waiting, ${pool.limit} at most`,
                ],
              ]}
            />
          </>
        )}
      </Answered>
    </Section>
  );
}
