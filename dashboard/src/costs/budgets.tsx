/** Budgets of runs: used against the limit, and how one run came there. */
import { type ReactNode, useId } from "react";
import { useGraph, useGraphEvents } from "../events/use-graph-events.ts";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Answered, Empty, Section } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { count } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import type { ProjectInView } from "../shell/use-project.ts";
import { Link } from "../shell/use-route.tsx";
import { type BudgetUse, budgetUse, burnOf } from "./burn-budget.ts";
import { scaleLine } from "./scale-bars.ts";

export function BudgetSection({
  route,
  project,
}: {
  readonly route: Route;
  readonly project: ProjectInView | undefined;
}): ReactNode {
  const runs = useLive("run.list", { limit: 50 }, { project });
  const chosen = route.terms["run"];
  return (
    <Answered answer={runs}>
      {({ items }) => (
        <Section title="Budgets of runs" count={items.length}>
          {items.length === 0 ? (
            <Empty command='sylk run "…" --budget 200000'>No run has used tokens yet.</Empty>
          ) : null}
          {chosen === undefined ? null : <Burn id={chosen} limit={items.find(({ id }) => id === chosen)?.budget} />}
          <ul className="rows budgets">
            {items.map(({ id, request, status, cost, budget }) => (
              <li key={id}>
                <Link to={{ page: "runs", id }} className="row-title">
                  {request}
                </Link>
                <StateMark state={status} />
                <UseBar use={budgetUse(cost, budget)} />
                <Link
                  to={{ page: "costs", terms: { ...route.terms, run: id } }}
                  aria-label={`Show over time: ${request}`}
                >
                  Over time
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Answered>
  );
}

function UseBar({ use: { used, limit, share, unknownCalls } }: { readonly use: BudgetUse }): ReactNode {
  const rest = unknownCalls > 0 ? ` + ${count(unknownCalls, "call")} of unknown size` : "";
  return (
    <span className="use">
      {share === undefined ? null : (
        <svg
          viewBox="0 0 100 8"
          className={share >= 0.9 ? "use-bar over" : "use-bar"}
          aria-hidden="true"
          preserveAspectRatio="none"
        >
          <rect width="100" height="8" className="bar-ground" />
          <rect width={Math.min(100, share * 100)} height="8" className="bar" />
        </svg>
      )}
      {used.toLocaleString("en")}
      {limit === undefined
        ? " tokens, no limit"
        : ` of ${limit.toLocaleString("en")} tokens (${Math.round(share! * 100)} %)`}
      {rest}
    </span>
  );
}

const [width, height] = [600, 120];

function Burn({ id, limit }: { readonly id: string; readonly limit: number | undefined }): ReactNode {
  const title = useId();
  const graph = useGraph(id);
  const { events, problem } = useGraphEvents(id, graph.data);
  const burn = burnOf(events);
  const most = Math.max(limit ?? 0, burn.at(-1)?.used ?? 0);
  const line = scaleLine([{ at: events[0]?.at ?? 0, value: 0 }, ...burn.map(({ at, used }) => ({ at, value: used }))], {
    width,
    height,
    most,
  });
  return (
    <Answered answer={graph}>
      {({ name }) => (
        <figure className="burn">
          <figcaption id={title}>
            <strong>{name}</strong>: tokens used after each call
            {limit === undefined ? ", without a limit" : `, limit ${limit.toLocaleString("en")}`}
          </figcaption>
          {problem === undefined ? null : (
            <p className="problem" role="alert">
              {problem}
            </p>
          )}
          {burn.length === 0 ? (
            <p className="quiet">No call of this run has told its tokens.</p>
          ) : (
            <svg viewBox={`0 -4 ${width} ${height + 8}`} role="img" aria-labelledby={title}>
              <title>Tokens used over time</title>
              <desc>{`Ends at ${burn.at(-1)!.used.toLocaleString("en")} tokens after ${count(burn.length, "call")}. The table has each step.`}</desc>
              {limit === undefined ? null : (
                <line
                  x1="0"
                  x2={width}
                  y1={height - (limit / most) * height}
                  y2={height - (limit / most) * height}
                  className="limit"
                />
              )}
              <polyline points={line.map(({ x, y }) => `${x},${y}`).join(" ")} className="burn-line" />
              {line.slice(1).map(({ x, y }, index) => (
                <circle key={burn[index]!.sequence} cx={x} cy={y} r="4" className="bar" />
              ))}
            </svg>
          )}
          <details>
            <summary>Each call ({burn.length})</summary>
            <ol className="burn-table">
              {burn.slice(-200).map(({ at, used, sequence }) => (
                <li key={sequence}>
                  <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time>{" "}
                  {used.toLocaleString("en")} tokens used
                </li>
              ))}
            </ol>
          </details>
          <CommandLine text={`sylk run show ${id}`} />
        </figure>
      )}
    </Answered>
  );
}
