/** Findings of all agents, the newest first, by severity or by file; each with its place in the code. */
import type { ReactNode } from "react";
import type { OutputOf, RawInputOf } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { changeTerms } from "../parts/change-terms.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { quoteWord } from "../parts/quote-word.ts";
import { Answered, Empty } from "../parts/section.tsx";
import type { PageProps } from "../shell/page-props.ts";
import type { Route } from "../shell/route.ts";
import { useProject } from "../shell/use-project.ts";
import { goTo, Link } from "../shell/use-route.tsx";
import { groupFindings, matchFindings } from "./arrange-findings.ts";
import { FindingDrawer } from "./finding-drawer.tsx";
import { FindingFilters } from "./finding-filters.tsx";
import { FindingList } from "./finding-list.tsx";
import "./findings.css";

const most = 200;

export function FindingsPage({ route }: PageProps): ReactNode {
  const project = useProject();
  const { terms } = route;
  const found = useLive("finding.list", inputOf(terms), { project });
  return (
    <div className="page findings-page">
      <header className="page-head">
        <h2>Findings</h2>
        <CommandLine text={commandOf(terms)} />
      </header>
      <FindingFilters route={route} />
      <Answered answer={found}>{(data) => <FoundFindings found={data} route={route} />}</Answered>
      {route.id === undefined ? null : (
        <FindingDrawer key={route.id} id={route.id} onClose={() => goTo({ ...route, id: undefined })} />
      )}
    </div>
  );
}

type FoundProps = { readonly found: OutputOf<"finding.list">; readonly route: Route };

function FoundFindings({ found: { items, nextCursor }, route }: FoundProps): ReactNode {
  const { terms } = route;
  const { by = "severity", before } = terms;
  const shown = matchFindings(items, terms["text"] ?? "");
  const isFiltered = ["text", "severity", "status", "file", "run", "before"].some((name) => terms[name] !== undefined);
  return (
    <>
      {shown.length > 0 ? null : isFiltered ? (
        <Empty>
          No finding matches these filters. <Link to={{ ...route, id: undefined, terms: {} }}>Show all findings</Link>
        </Empty>
      ) : (
        <Empty command='sylk finding add "…" --category correctness --files src/a.ts:1'>
          No finding was reported. Agents and the checks of runs report them; you can report one too.
        </Empty>
      )}
      <FindingList groups={groupFindings(shown, by === "file" ? "file" : "severity")} route={route} />
      {before === undefined && nextCursor === undefined ? null : (
        <p className="pager">
          {before === undefined ? null : (
            <Link to={{ ...route, terms: changeTerms(terms, { before: undefined }) }}>Newest findings</Link>
          )}
          {nextCursor === undefined ? null : (
            <Link to={{ ...route, terms: changeTerms(terms, { before: nextCursor }) }}>Older findings</Link>
          )}
        </p>
      )}
    </>
  );
}

function inputOf({ severity, status, file, run, before }: Route["terms"]): RawInputOf<"finding.list"> {
  const given = { severity, status, path: file, run, cursor: before };
  const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...input, limit: most }; // a value that the daemon does not know is refused in its words
}

function commandOf({ severity, status, file, run }: Route["terms"]): string {
  const flags = Object.entries({ severity, status, path: file, run }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoteWord(value)}`],
  );
  return ["sylk finding list", ...flags].join(" ");
}
