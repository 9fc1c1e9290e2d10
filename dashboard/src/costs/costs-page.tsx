/** Costs: tokens and money by model, session, role, day …; budgets of runs; tokens that were not spent. */
import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { Answered, Empty, Section } from "../parts/section.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { count } from "../parts/wording.ts";
import type { PageProps } from "../shell/page-props.ts";
import { useProject } from "../shell/use-project.ts";
import { goTo } from "../shell/use-route.tsx";
import { Budgets } from "./budget-list.tsx";
import { CostTable } from "./cost-table.tsx";
import { Savings } from "./savings-report.tsx";
import { sayMoney, sayTokens, tokensOf } from "./add-known.ts";
import "./costs.css";

const groups = ["model", "session", "role", "client", "agent", "work-item", "day"] as const;
const spans = { "1": "24 hours", "7": "7 days", "30": "30 days" } as const;
const dayMs = 86_400_000;
/** A question that changes with every millisecond would be read with every drawing. */
const startOfToday = Math.floor(Date.now() / dayMs) * dayMs;

export function CostsPage({ route }: PageProps): ReactNode {
  const project = useProject();
  const by = groups.find((group) => group === route.terms["by"]) ?? "model";
  const days = route.terms["days"];
  const since = days === undefined ? undefined : startOfToday + dayMs - Number(days) * dayMs;
  const answer = useLive("ledger.show", { by, limit: 200, ...(since === undefined ? {} : { since }) }, { project });
  const change = (terms: Record<string, string>): void => goTo({ ...route, terms: { ...route.terms, ...terms } });
  return (
    <div className="page costs">
      <header className="page-head">
        <h2>Costs</h2>
        <CommandLine text={`sylk cost --by ${by}`} />
      </header>
      <div className="filters" role="group" aria-label="What to show">
        <label>
          By{" "}
          <select value={by} onChange={({ target }) => change({ by: target.value })}>
            {groups.map((group) => (
              <option key={group}>{group}</option>
            ))}
          </select>
        </label>
        <label>
          Since{" "}
          <select
            value={days ?? ""}
            onChange={({ target }) => {
              const { days: _, ...rest } = route.terms;
              goTo({ ...route, terms: target.value === "" ? rest : { ...rest, days: target.value } });
            }}
          >
            <option value="">the beginning</option>
            {Object.entries(spans).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Answered answer={answer}>
        {({ total, items, left, missing, prices }) => (
          <>
            <Section title="In all">
              <p className="figures">
                <span>
                  <strong>{sayTokens(tokensOf(total))}</strong> tokens
                </span>
                <span>
                  <strong>{sayMoney(total)}</strong>
                  {total.usd === null ? " money" : ""}
                </span>
                <span>{count(total.calls, "model call")}</span>
                {total.unpriced === 0 ? null : (
                  <span className="quiet">{count(total.unpriced, "call")} without a known price</span>
                )}
              </p>
              {missing.map((line) => (
                <p key={line} className="quiet">
                  Left out: {line}
                </p>
              ))}
            </Section>
            <Section title={`By ${by}`} count={items.length}>
              {items.length === 0 ? (
                <Empty command="sylk cost">
                  No model call is recorded. Calls of runs and of installed clients appear here.
                </Empty>
              ) : (
                <CostTable items={items} by={by} />
              )}
              {left === 0 ? null : <p className="quiet">and {left} more; they are in the total</p>}
              {prices.length === 0 ? null : (
                <details>
                  <summary>Prices used</summary>
                  <ul>
                    {prices.map(({ model, source }) => (
                      <li key={model}>
                        <code>{model}</code> <span className="quiet">{source}</span>
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </Section>
          </>
        )}
      </Answered>
      <Budgets project={project} />
      <Savings project={project} />
    </div>
  );
}
