/** Problems, each with the command that mends it or shows more. */
import type { ReactNode } from "react";
import { CommandLine } from "../parts/command-line.tsx";
import { Section } from "../parts/section.tsx";
import type { Problem } from "./find-problems.ts";

const most = 6;

export function ProblemList({ problems }: { readonly problems: readonly Problem[] }): ReactNode {
  const more = problems.length - most;
  return (
    <Section title="Problems" count={problems.length}>
      <ul className="problems">
        {problems.slice(0, most).map(({ key, title, detail, command }) => (
          <li key={key}>
            <p>
              <strong>{title}</strong>
            </p>
            <p className="quiet">{detail}</p>
            <CommandLine text={command} />
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="quiet">and {more} more</p> : null}
    </Section>
  );
}
