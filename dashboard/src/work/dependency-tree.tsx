/** What an item waits for and what waits for it, as two trees of links. */
import type { ReactNode } from "react";
import { StateMark } from "../parts/state-mark.tsx";
import { count } from "../parts/wording.ts";
import { Link } from "../shell/use-route.tsx";
import type { ListedWork } from "./group-work.ts";
import { type DependencyBranch, traceDependencies } from "./trace-dependencies.ts";

type DependencyTreeProps = { readonly id: string; readonly items: readonly ListedWork[] };

export function DependencyTree({ id, items }: DependencyTreeProps): ReactNode {
  const needs = traceDependencies(id, items, "needs");
  const neededBy = traceDependencies(id, items, "needed-by");
  if (needs.length + neededBy.length === 0) return null;
  return (
    <section className="dependencies">
      {needs.length === 0 ? null : <h3>Needs first</h3>}
      <Branches branches={needs} />
      {neededBy.length === 0 ? null : <h3>Needed by</h3>}
      <Branches branches={neededBy} />
    </section>
  );
}

function Branches({ branches }: { readonly branches: readonly DependencyBranch[] }): ReactNode {
  if (branches.length === 0) return null;
  return (
    <ul className="branches">
      {branches.map(({ id, item, branches: below, hidden }) => (
        <li key={id}>
          <StateMark state={item === undefined ? "closed" : item.stuck === undefined ? item.status : "stuck"} />{" "}
          <Link to={{ page: "work", id }}>{item?.title ?? id}</Link>
          {hidden > 0 ? <span className="quiet"> and {count(hidden, "item")} below</span> : null}
          <Branches branches={below} />
        </li>
      ))}
    </ul>
  );
}
