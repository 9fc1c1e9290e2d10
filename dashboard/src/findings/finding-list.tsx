/** Findings in groups; of a long group only the rows in view are mounted. */
import type { ReactNode } from "react";
import type { PublishedFinding } from "../daemon/contract.ts";
import { LongList } from "../parts/long-list.tsx";
import { Section } from "../parts/section.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import { Link } from "../shell/use-route.tsx";
import { type FindingGroup, placeText } from "./arrange-findings.ts";
import { SeverityMark, StatusMark } from "./finding-marks.tsx";

export function FindingList({
  groups,
  route,
}: {
  readonly groups: readonly FindingGroup[];
  readonly route: Route;
}): ReactNode {
  return groups.map(({ key, title, findings }) => {
    return (
      <Section key={key} title={title} count={findings.length}>
        <LongList className="rows findings" label={title}>
          {findings.map((finding) => (
            <FindingRow key={finding.id} finding={finding} route={route} />
          ))}
        </LongList>
      </Section>
    );
  });
}

function FindingRow({ finding, route }: { readonly finding: PublishedFinding; readonly route: Route }): ReactNode {
  const { id, severity, status, summary, category, files, agreement, by, workItem, publishedAt } = finding;
  const [first, ...more] = files;
  return (
    <div role="listitem" className="row finding-row" data-id={id}>
      <SeverityMark severity={severity} />
      <Link to={{ ...route, id }} className="row-title one-line">
        {summary}
      </Link>
      <StatusMark status={status} />
      {first === undefined ? null : (
        <code className="one-line place">
          {placeText(first)}
          {more.length === 0 ? "" : ` +${more.length}`}
        </code>
      )}
      <span className="quiet one-line">
        {category} · <bdi>{by}</bdi>
        {agreement > 1 ? ` · ${count(agreement, "reporter")}` : ""}
        {workItem === undefined ? "" : " · has a work item"}
      </span>
      <TimeAgo at={publishedAt} />
    </div>
  );
}
