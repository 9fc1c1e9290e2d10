/** One finding: what was seen, where, by whom, and what becomes of it. */
import { type ReactNode, useState } from "react";
import type { PublishedFinding } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Facts } from "../parts/facts.tsx";
import { Answered } from "../parts/section.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count } from "../parts/wording.ts";
import { useAction } from "../shell/use-action.ts";
import { Link } from "../shell/use-route.tsx";
import { placeText } from "./arrange-findings.ts";
import { SeverityMark, StatusMark } from "./finding-marks.tsx";

export function FindingDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const found = useLive("finding.get", { id: id });
  return (
    <Drawer title={<span className="clamped">{found.data?.finding.summary ?? "Finding"}</span>} onClose={onClose}>
      <Answered answer={found}>{({ finding }) => <FindingDetails finding={finding} />}</Answered>
    </Drawer>
  );
}

function FindingDetails({ finding }: { readonly finding: PublishedFinding }): ReactNode {
  const { id, severity, level, status, mark, category, files, evidence, reports, agreement, thread, run } = finding;
  // A finding names no project: the one of its first reporter is meant, whatever project is in view.
  const project = useLive("agent.get", { id: finding.agent.id }).data?.agent.project;
  return (
    <>
      <p className="marks">
        <SeverityMark severity={severity} />
        <StatusMark status={status} />
      </p>
      {mark === undefined ? null : (
        <p className="quiet">
          {status} by <bdi>{mark.by.name}</bdi> <TimeAgo at={mark.markedAt} />: <bdi>{mark.why}</bdi>
        </p>
      )}
      <h3>Place in the code</h3>
      <Places files={files} />
      <h3>Evidence</h3>
      {evidence === undefined ? (
        <p className="quiet">None was given.</p>
      ) : (
        <pre className="evidence" tabIndex={0} aria-label="Evidence">
          {evidence}
        </pre>
      )}
      <h3>{agreement === 1 ? "Reporter" : `Reporters, ${agreement} of them independent`}</h3>
      <ul className="rows" aria-label="Reporters">
        {reports.map(({ agent, model, reportedAt }) => (
          <li key={`${agent.id} ${reportedAt}`}>
            <Link to={{ page: "agents", id: agent.id }} className="row-title one-line">
              {agent.name}
            </Link>
            <span className="quiet">{model ?? agent.client}</span>
            <TimeAgo at={reportedAt} />
          </li>
        ))}
      </ul>
      <Facts
        rows={[
          ["Category", category],
          ...(level === undefined ? [] : ([["Level", level]] as const)),
          ["Project", project?.name],
          ["Thread", thread === undefined ? "none" : <ThreadLink key="thread" thread={thread} />],
          ...(run === undefined
            ? []
            : ([
                [
                  "Run",
                  <Link key="run" to={{ page: "runs", id: run, terms: {} }}>
                    {run}
                  </Link>,
                ],
              ] as const)),
          ["Work item", <WorkItemFact key="item" finding={finding} project={project?.path} />],
        ]}
      />
      <Decide finding={finding} project={project} />
      <CommandLine text={`sylk finding show ${id}`} />
    </>
  );
}

function Places({ files }: Pick<PublishedFinding, "files">): ReactNode {
  if (files.length === 0) return <p className="quiet">It names no file.</p>;
  return (
    <ul className="places" aria-label="Places">
      {files.map((file) => (
        <li key={placeText(file)}>
          <CommandLine text={placeText(file)} what="the place" />
          <Link to={{ page: "files", id: file.path }}>Open the file</Link>
        </li>
      ))}
    </ul>
  );
}

/** A thread is free text; a message or a work item of ours has a page. */
function ThreadLink({ thread }: { readonly thread: string }): ReactNode {
  if (thread.startsWith("msg_")) return <Link to={{ page: "messages", id: thread }}>{thread}</Link>;
  if (thread.startsWith("wrk_")) return <Link to={{ page: "work", id: thread }}>{thread}</Link>;
  return <bdi>{thread}</bdi>;
}

type OfProject = { readonly finding: PublishedFinding; readonly project: string | undefined };

function WorkItemFact({ finding: { id, workItem }, project }: OfProject): ReactNode {
  const { act, isBusy } = useAction();
  if (workItem !== undefined) return <Link to={{ page: "work", id: workItem }}>{workItem}</Link>;
  const promote = () => act("finding.promote", { id }, { project, done: "A work item was made from the finding." });
  return (
    <button type="button" disabled={isBusy || project === undefined} onClick={() => void promote()}>
      Make a work item
    </button>
  );
}

type DecideProps = {
  readonly finding: PublishedFinding;
  readonly project: { readonly name: string; readonly path: string } | undefined;
};

function Decide({ finding: { id, reports }, project }: DecideProps): ReactNode {
  const { act, isBusy } = useAction();
  const [why, setWhy] = useState("");
  const cannot = isBusy || project === undefined || why.trim() === "";
  const mark = async (status: "accepted" | "discarded" | "fixed"): Promise<void> => {
    const marked = await act(
      "finding.mark",
      { id, status, why },
      { project: project?.path, done: `The finding is ${status}.` },
    );
    if (marked !== undefined) setWhy("");
  };
  return (
    <form className="decision" onSubmit={(submitted) => submitted.preventDefault()}>
      <input value={why} onChange={({ target }) => setWhy(target.value)} placeholder="Reason" aria-label="Reason" />
      <button type="submit" className="primary" disabled={cannot} onClick={() => void mark("accepted")}>
        Accept
      </button>
      <button type="button" disabled={cannot} onClick={() => void mark("fixed")}>
        Fixed
      </button>
      <button type="button" className="danger" disabled={cannot} onClick={() => void mark("discarded")}>
        Discard
      </button>
      <p className="quiet holds-for">
        A decision needs a reason. It holds for the finding with {count(reports.length, "report")}, for all agents of{" "}
        {project?.name ?? "its project"}.
      </p>
    </form>
  );
}
