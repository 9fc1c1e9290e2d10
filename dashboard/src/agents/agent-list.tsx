/** Agents with what they hold and do. Only the rows in view are mounted: there may be hundreds. */
import type { ReactNode } from "react";
import { WindowVirtualizer } from "virtua";
import type { PresentAgent } from "../daemon/contract.ts";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count, shortPath } from "../parts/wording.ts";
import { Link } from "../shell/use-route.tsx";

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

/** Who it is in the first line, what it does in the second. */
function AgentRow({
  agent,
  showsProject,
}: {
  readonly agent: PresentAgent;
  readonly showsProject: boolean;
}): ReactNode {
  const { id, name, client, status, branch, guard, project, terminal, pid, lastSeenAt, task, lastActivity } = agent;
  const process = terminal ?? (pid === undefined ? undefined : `pid ${pid}`);
  return (
    <div role="listitem" className="agent-row">
      <div className="row-line">
        <Link to={{ page: "agents", id }} className="row-title">
          {name}
        </Link>
        <StateMark state={status} />
        {guard === "unguarded" ? <StateMark state="blocked" label="unguarded" /> : null}
        <span className="quiet">
          {[client, process, showsProject ? project.name : undefined].filter(Boolean).join(" · ")}
        </span>
        {branch === undefined ? null : <code>{branch}</code>}
        <TimeAgo at={lastSeenAt} />
      </div>
      <div className="row-line">
        {task === undefined && lastActivity === undefined ? null : (
          <span className="task">{task ?? lastActivity?.text}</span>
        )}
        <AgentHolds agent={agent} />
      </div>
    </div>
  );
}

function AgentHolds({ agent: { files, waits, uncommitted } }: { readonly agent: PresentAgent }): ReactNode {
  const [first, ...more] = files;
  const [wait] = waits;
  return (
    <>
      {first === undefined ? null : (
        <span className="holds">
          holds <code title={first}>{shortPath(first)}</code>
          {more.length === 0 ? null : ` and ${count(more.length, "more", "more")}`}
        </span>
      )}
      {wait === undefined ? null : (
        <span className="waits">
          waits for <code title={wait.paths[0]}>{shortPath(wait.paths[0] ?? "")}</code>
          {wait.holder === undefined ? null : ` of ${wait.holder.name}`}
        </span>
      )}
      {uncommitted === undefined || uncommitted.count === 0 ? null : (
        <span className="quiet">{count(uncommitted.count, "uncommitted file")}</span>
      )}
    </>
  );
}
