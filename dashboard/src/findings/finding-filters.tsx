/** Filters of the findings; they stand in the address. */
import type { ReactNode } from "react";
import { changeTerms } from "../parts/change-terms.ts";
import { SearchField } from "../parts/search-field.tsx";
import type { Route } from "../shell/route.ts";
import { goTo } from "../shell/use-route.tsx";

const choices = {
  severity: ["", "blocking", "important", "informational"],
  status: ["", "open", "accepted", "discarded", "fixed"],
} as const;

export function FindingFilters({ route }: { readonly route: Route }): ReactNode {
  const { terms } = route;
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    goTo({ ...route, terms: changeTerms(terms, { before: undefined, ...changes }) }, { replace: true });
  return (
    <div className="filters" role="group" aria-label="Filters">
      <SearchField label="Text" placeholder="Words" value={terms["text"] ?? ""} onSearch={(text) => change({ text })} />
      {(["severity", "status"] as const).map((name) => (
        <label key={name}>
          <span className="unseen">{name}</span>
          <select
            value={terms[name] ?? ""}
            onChange={({ target }) => change({ [name]: target.value })}
            aria-label={name}
          >
            {choices[name].map((value) => (
              <option key={value} value={value}>
                {value === "" ? `any ${name}` : value}
              </option>
            ))}
          </select>
        </label>
      ))}
      <SearchField
        label="File"
        placeholder="path/of/file"
        value={terms["file"] ?? ""}
        onSearch={(file) => change({ file })}
      />
      <SearchField label="Run" placeholder="run_…" value={terms["run"] ?? ""} onSearch={(run) => change({ run })} />
      <label>
        <span className="unseen">Group by</span>
        <select
          value={terms["by"] ?? "severity"}
          onChange={({ target }) => change({ by: target.value === "severity" ? undefined : target.value })}
          aria-label="Group by"
        >
          <option value="severity">by severity</option>
          <option value="file">by file</option>
        </select>
      </label>
    </div>
  );
}
