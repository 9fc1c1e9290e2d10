/** Agents with what they hold and do. Only the rows in view are mounted: there may be hundreds. */
import type { ReactNode } from "react";
import { WindowVirtualizer } from "virtua";
import type { OutputOf } from "../daemon/contract.ts";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count } from "../parts/wording.ts";
import { Link } from "../shell/use-route.tsx";

export type PresentAgent = OutputOf<"agent.list">["items"][number];

type AgentListProps = { readonly agents: readonly PresentAgent[]; readonly showsProject: boolean };

export function AgentList({ agents, showsProject }: AgentListProps): ReactNode {
  return (
    <div className="rows agents" role="list" aria-label="Agents">
      <WindowVirtualizer>
        {agents.map((agent) => (
          <AgentRow key={agent.id} agent={agent} showsProject={showsProject} />
        ))}
      </WindowVirtualizer>
    </div>
  );
}

function AgentRow({ agent, showsProject }: { readonly agent: PresentAgent; readonly showsProject: boolean }): ReactNode {
  const { id, name, client, status, branch, workItem, files, guard, project, lastSeenAt } = agent;
  const [first, ...more] = files;
  return (
    <div role="listitem" className="row">
      <Link to={{ page: "agents", id }} className="row-title">
        {name}
      </Link>
      <StateMark state={status} />
      <span className="quiet">{client}</span>
      {guard === "unguarded" ? <StateMark state="blocked" label="unguarded" /> : null}
      {showsProject ? <span className="quiet">{project.name}</span> : null}
      {branch === undefined ? null : <code>{branch}</code>}
      <span className="task">{workItem?.title}</span>
      {first === undefined ? null : (
        <span className="holds">
          holds <code>{first}</code>
          {more.length === 0 ? null : ` and ${count(more.length, "more", "more")}`}
        </span>
      )}
      <TimeAgo at={lastSeenAt} />
    </div>
  );
}
