/** Runs with a token limit: how much of it is used. */
import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { Section } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import type { ProjectInView } from "../shell/use-project.ts";
import { Link } from "../shell/use-route.tsx";
import { sayTokens } from "./add-known.ts";

export function Budgets({ project }: { readonly project: ProjectInView | undefined }): ReactNode {
  const runs = useLive("run.list", { limit: 200 }, { project }).data?.items ?? [];
  const limited = runs.filter(({ budget }) => budget !== undefined);
  if (limited.length === 0) return null;
  return (
    <Section title="Budgets" count={limited.length}>
      <ul className="rows">
        {limited.map(({ id, request, status, budget = 0, cost }) => {
          const used = cost.inputTokens + cost.outputTokens;
          return (
            <li key={id}>
              <Link to={{ page: "runs", id }} className="row-title">
                {request}
              </Link>
              <StateMark state={status} />
              <span className="task">
                <progress max={budget} value={Math.min(used, budget)} aria-label={`Tokens used by ${request}`} />{" "}
                {cost.unknownCalls === 0 ? "" : "at least "}
                {sayTokens(used)} of {sayTokens(budget)} tokens
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
