/** The ledger as a bar chart and, beside it, as the table that says the same in numbers. */
import { type ReactNode, useId } from "react";
import type { LedgerTotal } from "../daemon/contract.ts";
import { roundUp, scaleBars } from "./scale-bars.ts";
import { billedOf, moneyOf, sayMoney, sayTokens, type TokenPart } from "./sum-ledger.ts";

const columns = ["Money", "Calls", "Input", "Output", "Cache read", "Cache write", "Context"];
const barsShown = 20;
const [width, rowHeight, barHeight] = [320, 22, 12];

type LedgerTableProps = { readonly by: string; readonly items: readonly LedgerTotal[]; readonly total: LedgerTotal };

export function LedgerTable({ by, items, total }: LedgerTableProps): ReactNode {
  return (
    <div className="ledger">
      <BarChart by={by} items={by === "day" ? items.slice(-barsShown) : items.slice(0, barsShown)} />
      <div className="table-scroll" tabIndex={0} role="region" aria-label={`Costs by ${by}`}>
        <table className="numbers">
          <thead>
            <tr>
              <th scope="col">{by}</th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <Row key={item.name} item={item} name={item.name} />
            ))}
          </tbody>
          <tfoot>
            <Row item={total} name="All" />
          </tfoot>
        </table>
      </div>
    </div>
  );
}

function Row({ item, name }: { readonly item: LedgerTotal; readonly name: string }): ReactNode {
  const tokens = (part: TokenPart): string => sayTokens({ known: item[part], isWhole: item.unknown[part] === 0 });
  return (
    <tr>
      <th scope="row" title={name}>
        {name}
      </th>
      <td>{sayMoney(moneyOf(item))}</td>
      <td>{item.calls.toLocaleString("en")}</td>
      {(["input", "output", "cacheRead", "cacheWrite"] as const).map((part) => (
        <td key={part}>{tokens(part)}</td>
      ))}
      <td>{contextText(item.context)}</td>
    </tr>
  );
}

function contextText(context: LedgerTotal["context"]): string {
  if (context === null) return "unknown";
  const { peak, now } = context;
  if (now === undefined) return peak.toLocaleString("en");
  return `${peak.toLocaleString("en")}, now ${now.used.toLocaleString("en")}${now.size === undefined ? "" : ` of ${now.size.toLocaleString("en")}`}`;
}

function BarChart({ by, items }: { readonly by: string; readonly items: readonly LedgerTotal[] }): ReactNode {
  const id = useId();
  const sums = items.map(billedOf);
  const bars = scaleBars(
    sums.map(({ known }) => known),
    width,
  );
  const axis = roundUp(Math.max(0, ...sums.map(({ known }) => known ?? 0)));
  return (
    <figure className="bar-chart">
      <svg viewBox={`0 0 ${width} ${items.length * 2 * rowHeight}`} role="img" aria-labelledby={`${id}t ${id}d`}>
        <title id={`${id}t`}>Billed tokens by {by}</title>
        <desc id={`${id}d`}>
          A bar for each {by}; the table beside it has the numbers. The axis ends at {axis.toLocaleString("en")}.
        </desc>
        {items.map((item, index) => {
          const top = index * 2 * rowHeight;
          const bar = bars[index];
          return (
            <g key={item.name}>
              <text x="0" y={top + 15} className="bar-name">
                {shortened(item.name)}
              </text>
              <text x={width} y={top + 15} textAnchor="end" className="bar-value">
                {sayTokens(sums[index]!)}
              </text>
              <rect x="0.5" y={top + rowHeight} width={width - 1} height={barHeight} className="bar-ground" />
              {bar === undefined ? null : (
                <rect x="0" y={top + rowHeight} width={bar} height={barHeight} className="bar" />
              )}
            </g>
          );
        })}
      </svg>
      <figcaption className="quiet">Billed tokens; the axis ends at {axis.toLocaleString("en")}</figcaption>
    </figure>
  );
}

function shortened(text: string): string {
  const letters = [...text];
  return letters.length > 24 ? `${letters.slice(0, 23).join("")}…` : text;
}
