/** Runs and graphs, the newest first; the state that is shown stands in the address. */
import { type ReactNode, useMemo } from "react";
import { WindowVirtualizer } from "virtua";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Answered, Empty } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count, words } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import { useProject } from "../shell/use-project.ts";
import { goTo, Link } from "../shell/use-route.tsx";
import { countStates, listRuns, type RunRow } from "./list-runs.ts";

/** As many as the daemon gives at once. */
const limit = 500;

export function RunList({ route }: { readonly route: Route }): ReactNode {
  const project = useProject();
  const runs = useLive("run.list", { limit }, { project });
  const graphs = useLive("dag.list", { limit }, { project });
  const rows = useMemo(
    () => listRuns({ runs: runs.data?.items ?? [], graphs: graphs.data?.items ?? [] }),
    [runs.data, graphs.data],
  );
  const problem = runs.problem ?? graphs.problem;
  const both = {
    ...(runs.data === undefined || graphs.data === undefined ? {} : { data: true }),
    ...(problem === undefined ? {} : { problem }),
  };
  const isComplete = runs.data?.items.length !== limit && graphs.data?.items.length !== limit;
  const { state } = route.terms;
  const shown = state === undefined ? rows : rows.filter(({ status }) => status === state);
  return (
    <div className="page runs">
      <header className="page-head">
        <h2>
          Runs <span className="count">{shown.length.toLocaleString("en")}</span>
        </h2>
        <StateFilter route={route} rows={rows} />
      </header>
      <Answered answer={both}>
        {() =>
          shown.length > 0 ? (
            <Rows rows={shown} />
          ) : state === undefined ? (
            <Empty command='sylk run "…"'>There is no run yet. Say what you want changed:</Empty>
          ) : (
            <Empty>No run is {words(state)} now.</Empty>
          )
        }
      </Answered>
      {isComplete ? null : (
        <p className="quiet">
          Only the newest {limit} runs and the newest {limit} graphs are listed.
        </p>
      )}
      <p className="same-in-terminal">
        <CommandLine text={`sylk runs${isRunState(state) ? ` --status ${state}` : ""}`} />
        <CommandLine text="sylk dag list" />
      </p>
    </div>
  );
}

/** States that only graphs have are not known to `sylk runs`. */
const isRunState = (state: string | undefined): boolean =>
  state !== undefined && state !== "succeeded" && state !== "waiting";

function StateFilter({ route, rows }: { readonly route: Route; readonly rows: readonly RunRow[] }): ReactNode {
  const { state = "", ...terms } = route.terms;
  const counts = countStates(rows);
  const states = [...new Set([...counts.keys(), ...(state === "" ? [] : [state])])];
  return (
    <label className="filter">
      State
      <select
        value={state}
        onChange={({ target }) =>
          goTo({ ...route, terms: target.value === "" ? terms : { ...terms, state: target.value } })
        }
      >
        <option value="">any ({rows.length})</option>
        {states.map((one) => (
          <option key={one} value={one}>
            {words(one)} ({counts.get(one) ?? 0})
          </option>
        ))}
      </select>
    </label>
  );
}

function Rows({ rows }: { readonly rows: readonly RunRow[] }): ReactNode {
  return (
    <div className="section">
      <div className="run-rows" role="list" aria-label="Runs and graphs">
        <WindowVirtualizer>
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </WindowVirtualizer>
      </div>
    </div>
  );
}

function Row({ row }: { readonly row: RunRow }): ReactNode {
  const { id, kind, title, status, reason, done, total, createdAt, label, outcome, tokens, unknownCalls } = row;
  return (
    <div role="listitem" className="run-row">
      <span className="run-state">
        <StateMark state={status} />
      </span>
      <span className="run-title">
        <Link to={{ page: "runs", id }} className="row-title">
          <bdi>{title}</bdi>
        </Link>
        {label === undefined ? null : <span className="tag">{label}</span>}
        {outcome === undefined ? null : <span className="tag">{outcome}</span>}
        {reason === undefined ? null : <span className="quiet run-reason">{reason}</span>}
      </span>
      <span className="quiet">{kind}</span>
      <span className="progress">
        <progress value={done} max={Math.max(1, total)} aria-label={`${done} of ${count(total, "node")} done`} />
        <span className="quiet">
          {done} of {total}
        </span>
      </span>
      <span className="quiet tokens">
        {tokens === undefined ? "tokens unknown" : count(tokens, "token")}
        {tokens === undefined || unknownCalls === 0 ? null : `, ${count(unknownCalls, "call")} unknown`}
      </span>
      <TimeAgo at={createdAt} />
    </div>
  );
}
