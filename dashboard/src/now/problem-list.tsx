/** Problems, each with the agents that have it and the command that mends it or shows more. */
import type { ReactNode } from "react";
import { CommandLine } from "../parts/command-line.tsx";
import { Section } from "../parts/section.tsx";
import { Link } from "../shell/use-route.tsx";
import type { Problem } from "./find-problems.ts";

const most = 6;
const mostNames = 5;

export function ProblemList({ problems }: { readonly problems: readonly Problem[] }): ReactNode {
  const more = problems.length - most;
  return (
    <Section title="Problems" count={problems.length}>
      <ul className="problems">
        {problems.slice(0, most).map(({ key, title, detail, command, agents }) => (
          <li key={key}>
            <p>
              <strong>{title}</strong>
            </p>
            <p className="quiet">{detail}</p>
            {agents === undefined ? null : <Names agents={agents} />}
            <CommandLine text={command} />
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p>
          <Link to={{ page: "health" }}>and {more} more</Link>
        </p>
      ) : null}
    </Section>
  );
}

function Names({ agents }: { readonly agents: NonNullable<Problem["agents"]> }): ReactNode {
  const more = agents.length - mostNames;
  return (
    <p className="problem-agents">
      {agents.slice(0, mostNames).map(({ id, name }) => (
        <Link key={id} to={{ page: "agents", id }}>
          {name}
        </Link>
      ))}
      {more > 0 ? <span className="quiet">and {more} more</span> : null}
    </p>
  );
}
