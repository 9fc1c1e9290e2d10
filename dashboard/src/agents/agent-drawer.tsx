/** One agent: who it is, what it does, what it holds and waits for, what it has not committed. */
import { type ReactNode, useState } from "react";
import type { OutputOf } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { AskDialog } from "../parts/ask-dialog.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Facts } from "../parts/facts.tsx";
import { Answered } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { useAction } from "../shell/use-action.ts";
import { Link } from "../shell/use-route.tsx";

type Found = OutputOf<"agent.get">;

export function AgentDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const found = useLive("agent.get", { id });
  return (
    <Drawer title={found.data?.agent.name ?? "Agent"} onClose={onClose}>
      <Answered answer={found}>{(data) => <AgentDetails found={data} />}</Answered>
    </Drawer>
  );
}

function AgentDetails({ found }: { readonly found: Found }): ReactNode {
  const { agent } = found;
  return (
    <>
      <AgentFacts agent={agent} />
      <Holds found={found} />
      <Waits agent={agent} />
      <Uncommitted agent={agent} />
      <Activities found={found} />
      <p>
        <CommandLine text={`sylk agent show ${agent.id}`} />
      </p>
      {agent.status === "ended" ? null : <EndAgent agent={agent} />}
    </>
  );
}

function AgentFacts({ agent }: { readonly agent: Found["agent"] }): ReactNode {
  return (
    <Facts
      rows={[
        ["State", <StateMark key="state" state={agent.status} />],
        ["Task", agent.task],
        ["Client", agent.client],
        ["Terminal", agent.terminal],
        ["Process", agent.pid],
        ["Project", agent.project.name],
        ["Branch", agent.branch === undefined ? undefined : <code key="branch">{agent.branch}</code>],
        ["Working tree", <code key="tree">{agent.tree}</code>],
        ["Guard", agent.guardReason === undefined ? agent.guard : `${agent.guard}: ${agent.guardReason}`],
        ["Shell", agent.shellReason === undefined ? agent.shell : `${agent.shell}: ${agent.shellReason}`],
        ["Last seen", <TimeAgo key="seen" at={agent.lastSeenAt} />],
      ]}
    />
  );
}

function Holds({ found: { agent, holds } }: { readonly found: Found }): ReactNode {
  const { act, isBusy } = useAction();
  const ask = (id: (typeof holds)[number]["reservation"]): void =>
    void act("reservation.ask", { id }, { project: agent.project.path, done: `${agent.name} is asked to release it` });
  return (
    <section>
      <h3>Holds</h3>
      {holds.length === 0 ? <p className="quiet">It holds no file.</p> : null}
      <ul className="rows">
        {holds.map(({ reservation: id, paths, patterns, expiresAt, reason }) => (
          <li key={id}>
            <span className="task">
              {paths.map((path) => (
                <Link key={path} to={{ page: "files", id: path }}>
                  <code>{path}</code>{" "}
                </Link>
              ))}
              {patterns.map((pattern) => (
                <code key={pattern}>{pattern} </code>
              ))}
              <span className="quiet">{reason}</span>
            </span>
            <span className="quiet">
              ends <TimeAgo at={expiresAt} />
            </span>
            {agent.client === "human" ? null : (
              <button type="button" className="small" disabled={isBusy} onClick={() => ask(id)}>
                Ask to release
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Waits({ agent: { waits } }: { readonly agent: Found["agent"] }): ReactNode {
  if (waits.length === 0) return null;
  return (
    <section>
      <h3>Waits for</h3>
      <ul className="rows">
        {waits.map(({ paths, holder, how, since }) => (
          <li key={`${since} ${paths.join(" ")}`}>
            <code className="task">{paths.join(" ")}</code>
            {holder === undefined ? null : (
              <span>
                held by <Link to={{ page: "agents", id: holder.id }}>{holder.name}</Link>
              </span>
            )}
            <span className="quiet">
              {how === "asked" ? "asked" : "in line"} <TimeAgo at={since} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Uncommitted({ agent: { uncommitted } }: { readonly agent: Found["agent"] }): ReactNode {
  return (
    <section>
      <h3>Uncommitted files</h3>
      {uncommitted === undefined ? <p className="quiet">unknown</p> : null}
      {uncommitted?.count === 0 ? <p className="quiet">None.</p> : null}
      <ul className="paths">
        {uncommitted?.paths.map((path) => (
          <li key={path}>
            <Link to={{ page: "files", id: path }}>
              <code>{path}</code>
            </Link>
          </li>
        ))}
      </ul>
      {uncommitted !== undefined && uncommitted.count > uncommitted.paths.length ? (
        <p className="quiet">and {uncommitted.count - uncommitted.paths.length} more</p>
      ) : null}
    </section>
  );
}

function Activities({ found: { events } }: { readonly found: Found }): ReactNode {
  return (
    <section>
      <h3>Activity</h3>
      {events.length === 0 ? <p className="quiet">No event names it.</p> : null}
      <ul className="rows">
        {events.map(({ sequence, at, text }) => (
          <li key={sequence}>
            <Link to={{ page: "events", id: String(sequence) }} className="task">
              {text}
            </Link>
            <TimeAgo at={at} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function EndAgent({ agent }: { readonly agent: Found["agent"] }): ReactNode {
  const { act, isBusy } = useAction();
  const [isAsking, setAsking] = useState(false);
  const { id, name, project } = agent;
  const end = async (): Promise<boolean> =>
    (await act("agent.end", { id }, { project: project.path, done: `${name} has ended` })) !== undefined;
  return (
    <p>
      <button type="button" className="danger" disabled={isBusy} onClick={() => setAsking(true)}>
        End this agent…
      </button>
      {isAsking ? (
        <AskDialog
          asked={{
            title: `End ${name}?`,
            explanation:
              "Its reservations and claims are released, and its token is revoked. Its process keeps running. No other agent is concerned.",
            confirm: "End it",
            isDanger: true,
            onConfirm: end,
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </p>
  );
}
