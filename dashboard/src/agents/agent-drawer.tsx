/** One agent: who it is, what it does, what it holds. */
import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Facts } from "../parts/facts.tsx";
import { Answered } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";

export function AgentDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const found = useLive("agent.get", { id });
  const holds = useLive("reservation.list", { limit: 500 }).data?.items.filter(({ holder }) => holder.id === id);
  return (
    <Drawer title={found.data?.agent.name ?? "Agent"} onClose={onClose}>
      <Answered answer={found}>
        {({ agent }) => (
          <>
            <Facts
              rows={[
                ["State", <StateMark key="state" state={agent.status} />],
                ["Client", agent.client],
                ["Project", agent.project.name],
                ["Task", agent.workItem?.title],
                ["Branch", agent.branch === undefined ? undefined : <code key="branch">{agent.branch}</code>],
                ["Working tree", <code key="tree">{agent.tree}</code>],
                ["Process", agent.pid],
                ["Last seen", <TimeAgo key="seen" at={agent.lastSeenAt} />],
              ]}
            />
            <h3>Holds</h3>
            {holds === undefined || holds.length === 0 ? (
              <p className="quiet">It holds no file.</p>
            ) : (
              <ul className="paths">
                {holds.map((hold) => (
                  <li key={hold.id}>
                    <code>{[...hold.paths, ...hold.patterns].join(" ")}</code>
                    <span className="quiet">
                      {" "}
                      ends <TimeAgo at={hold.expiresAt} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
            <CommandLine text={`sylk who ${agent.name}`} />
          </>
        )}
      </Answered>
    </Drawer>
  );
}
