/** Filters of the work page. They stand in the address, so a link shows the same items. */
import type { ReactNode } from "react";
import { count } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import { goTo } from "../shell/use-route.tsx";
import { type ListedWork, priorityWord } from "./group-work.ts";

type WorkFiltersProps = { readonly items: readonly ListedWork[]; readonly found: number; readonly route: Route };

export function WorkFilters({ items, found, route }: WorkFiltersProps): ReactNode {
  const { terms } = route;
  const set = (name: string, value: string): void => {
    const { [name]: _, ...others } = terms;
    goTo({ ...route, terms: value === "" ? others : { ...others, [name]: value } }, { replace: true });
  };
  const labels = [...new Set(items.flatMap((item) => item.labels))].sort();
  const owners = [...new Set(items.flatMap(({ owner }) => (owner === undefined ? [] : [owner.name])))].sort();
  const choices = (name: string, title: string, options: readonly (readonly [string, string])[]): ReactNode => (
    <label>
      <span className="unseen">{title}</span>
      <select value={terms[name] ?? ""} onChange={({ target }) => set(name, target.value)}>
        <option value="">{title}: all</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <form
      className="filters"
      role="search"
      aria-label="Filter work items"
      onSubmit={(submitted) => submitted.preventDefault()}
    >
      <input
        type="search"
        value={terms["text"] ?? ""}
        onChange={({ target }) => set("text", target.value)}
        placeholder="Filter by text"
        aria-label="Filter by text"
      />
      {choices(
        "label",
        "Label",
        withCurrent(labels, terms["label"]).map((label) => [label, label] as const),
      )}
      {choices("owner", "Owner", [
        ["none", "without an owner"],
        ...withCurrent(owners, terms["owner"] === "none" ? undefined : terms["owner"]).map(
          (name) => [name, name] as const,
        ),
      ])}
      {choices(
        "priority",
        "Priority",
        [0, 1, 2, 3, 4].map((priority) => [String(priority), priorityWord(priority)] as const),
      )}
      <span className="quiet" role="status">
        {found === items.length
          ? count(found, "item")
          : `${found.toLocaleString("en")} of ${count(items.length, "item")}`}
      </span>
    </form>
  );
}

/** A filter of a link is shown even where no item has it any more. */
function withCurrent(names: readonly string[], current: string | undefined): readonly string[] {
  return current === undefined || names.includes(current) ? names : [...names, current];
}
