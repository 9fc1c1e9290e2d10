/** Rows of the ledger with a bar each; the table is the chart's equal for those who do not see it. */
import type { ReactNode } from "react";
import type { LedgerTotal } from "../daemon/contract.ts";
import { callsWithUnknown, sayMoney, sayTokens, sharesOf, tokensOf } from "./add-known.ts";

export function CostTable({ items, by }: { readonly items: readonly LedgerTotal[]; readonly by: string }): ReactNode {
  const shares = sharesOf(items.map(tokensOf));
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={`Costs by ${by}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{by}</th>
            <th scope="col">Tokens</th>
            <th scope="col">Input</th>
            <th scope="col">Output</th>
            <th scope="col">Cache read</th>
            <th scope="col">Calls</th>
            <th scope="col">Money</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={item.name}>
              <th scope="row">
                {item.name}
                <Bar share={shares[index]} />
              </th>
              <td className="number">{sayTokens(tokensOf(item))}</td>
              <td className="number">{sayTokens(item.input)}</td>
              <td className="number">{sayTokens(item.output)}</td>
              <td className="number">{sayTokens(item.cacheRead)}</td>
              <td className="number">
                {item.calls}
                {callsWithUnknown(item) === 0 ? null : (
                  <span className="quiet"> ({callsWithUnknown(item)} not fully told)</span>
                )}
              </td>
              <td className="number">{sayMoney(item)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Bar({ share }: { readonly share: number | undefined }): ReactNode {
  if (share === undefined) return null;
  return (
    <svg className="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width={Math.max(0.5, share * 100)} height="4" rx="1" />
    </svg>
  );
}
