/** Now: problems first, then what waits for a person, then agents with what they hold and do, then running work. */
import type { ReactNode } from "react";
import { AgentDrawer } from "../agents/agent-drawer.tsx";
import { AgentList } from "../agents/agent-list.tsx";
import { useLive } from "../live/live-context.tsx";
import { Answered, Empty, Section } from "../parts/section.tsx";
import { count } from "../parts/wording.ts";
import { useProject } from "../shell/use-project.ts";
import type { PageProps } from "../shell/page-props.ts";
import { goTo, Link } from "../shell/use-route.tsx";
import { ProblemList } from "./problem-list.tsx";
import { findProblems } from "./find-problems.ts";
import { RunningWork } from "./running-work.tsx";

export function NowPage({ route }: PageProps): ReactNode {
  const project = useProject();
  const agents = useLive("agent.list", { limit: 500, all: project === undefined }, { project });
  const health = useLive("health.show", {}, { project });
  const waiting = useLive("approval.list", { limit: 500 }, { project }).data?.items ?? [];
  const problems = findProblems({ agents: agents.data, health: health.data });
  return (
    <div className="page now">
      <h2 className="unseen">Now</h2>
      {problems.length === 0 ? null : <ProblemList problems={problems} />}
      {waiting.length === 0 ? null : (
        <p className="callout">
          <strong>{count(waiting.length, "decision")}</strong> {waiting.length === 1 ? "waits" : "wait"} for you:{" "}
          {waiting[0]!.question} <Link to={{ page: "inbox" }}>Open the inbox</Link>
        </p>
      )}
      <Answered answer={agents}>
        {({ items }) => (
          <Section title="Agents" count={items.length}>
            {items.length === 0 ? (
              <Empty command="sylk install claude-code">
                No agent is at work. Install the hooks of your client, or start a request with sylk run.
              </Empty>
            ) : (
              <AgentList agents={items} showsProject={project === undefined} />
            )}
          </Section>
        )}
      </Answered>
      <RunningWork project={project} />
      {route.page !== "agents" || route.id === undefined ? null : (
        <AgentDrawer id={route.id} onClose={() => goTo({ page: "now", project: route.project })} />
      )}
    </div>
  );
}
