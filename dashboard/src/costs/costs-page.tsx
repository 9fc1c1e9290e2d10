/** Costs: tokens, context and money by session, client, model, role or day; budgets of runs; what was saved. */
import { type ReactNode, useMemo } from "react";
import { daemonNow } from "../daemon/daemon-time.ts";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Answered, Empty, Section } from "../parts/section.tsx";
import { capital, count } from "../parts/wording.ts";
import type { PageProps } from "../shell/page-props.ts";
import type { Route } from "../shell/route.ts";
import { useOneProject, useProject } from "../shell/use-project.ts";
import { goTo, Link } from "../shell/use-route.tsx";
import { BudgetSection } from "./budgets.tsx";
import "./costs.css";
import { LedgerTable } from "./ledger-table.tsx";
import { SavingsSection } from "./savings.tsx";
import { billedOf, leftOut, moneyOf, sayMoney, sayTokens } from "./sum-ledger.ts";

const groupings = ["model", "client", "role", "session", "day"] as const;
const spans = [1, 7, 30, 90] as const;
const dayMs = 86_400_000;

export function CostsPage({ route }: PageProps): ReactNode {
  const by = groupings.find((name) => name === route.terms["by"]) ?? "model";
  const days = /^\d{1,4}$/.test(route.terms["days"] ?? "") ? Number(route.terms["days"]) : undefined;
  // Whole days in UTC: the same question all day.
  const since = useMemo(
    () => (days === undefined ? undefined : (Math.floor(daemonNow() / dayMs) - days + 1) * dayMs),
    [days],
  );
  const project = useProject();
  const terms = { by, limit: 200, here: project !== undefined, ...(since === undefined ? {} : { since }) };
  const report = useLive("ledger.show", terms, { project });
  return (
    <div className="page costs">
      <header className="page-head">
        <h2>Costs</h2>
        <CommandLine
          text={`sylk cost --by ${by}${days === undefined ? "" : ` --since ${days}d`}${project === undefined ? "" : " --here"}`}
        />
      </header>
      <Choices route={route} by={by} days={days} />
      <Answered answer={report}>
        {({ total, items, left, sources, missing, prices }) => {
          const unreadable = sources.reduce((sum, source) => sum + source.unreadable, 0);
          const omitted = [
            ...leftOut(total),
            ...(unreadable > 0 ? [`${count(unreadable, "line")} of transcripts could not be read.`] : []),
            ...missing,
          ];
          return (
            <>
              <dl className="totals" aria-label="Totals">
                <div>
                  <dt>Billed tokens</dt>
                  <dd>{total.calls === 0 ? "none" : sayTokens(billedOf(total))}</dd>
                </div>
                <div>
                  <dt>Money</dt>
                  <dd>{total.calls === 0 ? "none" : sayMoney(moneyOf(total))}</dd>
                </div>
                <div>
                  <dt>Calls</dt>
                  <dd>{total.calls.toLocaleString("en")}</dd>
                </div>
                <div>
                  <dt>Largest context</dt>
                  <dd>{total.context === null ? "unknown" : total.context.peak.toLocaleString("en")}</dd>
                </div>
              </dl>
              {omitted.length === 0 ? null : (
                <ul className="omitted" aria-label="Left out of the totals">
                  {omitted.map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              )}
              <Section title={`By ${by}`} count={items.length + left}>
                {items.length === 0 ? (
                  <Empty command="sylk cost">
                    No model call{project === undefined ? "" : ` of ${project.name}`} is recorded
                    {days === undefined ? "" : ` in the last ${count(days, "day")}`}.
                  </Empty>
                ) : (
                  <LedgerTable by={by} items={items} total={total} />
                )}
                {left > 0 ? (
                  <p className="quiet">{left.toLocaleString("en")} more are in the total and not in the table.</p>
                ) : null}
                {prices.length === 0 ? null : (
                  <p className="quiet">Prices: {[...new Set(prices.map(({ source }) => source))].join("; ")}</p>
                )}
              </Section>
            </>
          );
        }}
      </Answered>
      <BudgetSection route={route} project={project} />
      <SavingsSection project={useOneProject()} />
    </div>
  );
}

type ChoicesProps = { readonly route: Route; readonly by: string; readonly days: number | undefined };

function Choices({ route, by, days }: ChoicesProps): ReactNode {
  const { days: _, ...rest } = route.terms;
  return (
    <div className="cost-choices">
      <nav aria-label="Group by" className="tabs">
        {groupings.map((name) => (
          <Link
            key={name}
            to={{ page: "costs", terms: { ...route.terms, by: name } }}
            aria-current={name === by ? "true" : undefined}
          >
            {capital(name)}
          </Link>
        ))}
      </nav>
      <label>
        Days{" "}
        <select
          value={days ?? ""}
          onChange={({ target }) =>
            goTo({ ...route, terms: target.value === "" ? rest : { ...rest, days: target.value } })
          }
        >
          <option value="">All</option>
          {[...new Set([...spans, ...(days === undefined ? [] : [days])])].map((span) => (
            <option key={span} value={span}>
              {span === 1 ? "Today" : `Last ${span}`}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
