/** One node of a run: what it was asked, what it did, what the checks said, what it cost. */
import type { ReactNode } from "react";
import type { Check, Run } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { Facts } from "../parts/facts.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { count } from "../parts/wording.ts";
import { NodeActions } from "./node-actions.tsx";
import { NodeLog } from "./node-log.tsx";
import type { Graph } from "./read-graph.ts";

const callsNoModel: ReadonlySet<string> = new Set(["approval", "check", "conclude"]);

type DrawerProps = { readonly run: Run; readonly graph: Graph; readonly id: string; readonly onClose: () => void };

export function RunNodeDrawer({ run, graph, id, onClose }: DrawerProps): ReactNode {
  const node = run.nodes.find((one) => one.id === id);
  const cost = useLive("ledger.show", { by: "node", since: run.createdAt, limit: 1_000 }).data?.items.find(
    ({ name }) => name === id,
  );
  if (node === undefined)
    return (
      <Drawer title="Node" onClose={onClose}>
        <p>This run has no node “{id}” any more.</p>
      </Drawer>
    );
  const parents = graph.nodes.find((one) => one.id === id)?.dependsOn ?? node.dependsOn;
  const titles = new Map(run.nodes.map((one) => [one.id as string, one.title]));
  const tokens =
    typeof cost?.input !== "number" || typeof cost.output !== "number"
      ? undefined
      : count(cost.input + cost.output, "token");
  const checkKind = node.role === "inspector" ? "inspection" : "tests";
  const checks =
    node.kind === "check" ? run.checks.filter(({ kind, round }) => kind === checkKind && round === node.round) : [];
  const findings = run.findings.filter(({ by }) =>
    node.kind === "check" ? by === node.role : node.agent !== undefined && by === node.agent,
  );
  return (
    <Drawer title={<bdi>{node.title}</bdi>} onClose={onClose}>
      <Facts
        rows={[
          ["State", <StateMark key="state" state={node.state} />],
          ["Reason", node.error ?? node.cause ?? "none"],
          ["Role", node.role],
          ["Attempts", node.attempt],
          ["Started", node.startedAt === undefined ? "not yet" : <TimeAgo key="at" at={node.startedAt} />],
          ["Ended", node.endedAt === undefined ? "not yet" : <TimeAgo key="end" at={node.endedAt} />],
          ["Depends on", parents.map((parent) => titles.get(parent) ?? parent).join(", ") || "nothing"],
          ["Files", node.files?.join(", ") ?? "none named"],
          ["Cost", callsNoModel.has(node.kind) ? "no model call" : tokens],
        ]}
      />
      {node.question === undefined ? null : <p className="callout">{node.question}</p>}
      <NodeActions
        graph={graph}
        node={{ ...node, text: node.prompt }}
        needsAnswer={node.kind === "approval" && node.state === "blocked"}
      />
      {node.summary === undefined ? null : (
        <>
          <h3>Output</h3>
          <p className="text">{node.summary}</p>
        </>
      )}
      {(node.notes ?? []).map((note) => (
        <p key={note} className="callout">
          {note}
        </p>
      ))}
      {node.prompt === "" ? null : (
        <>
          <h3>Prompt</h3>
          <p className="text">{node.prompt}</p>
        </>
      )}
      {checks.map((check) => (
        <CheckResult key={`${check.kind} ${check.at}`} check={check} />
      ))}
      <h3>Findings</h3>
      {findings.length === 0 ? <p className="quiet">None.</p> : null}
      {findings.map(({ id: finding, severity, summary, files }) => (
        <p key={finding}>
          <strong>{severity}</strong> {summary}{" "}
          {files.map(({ path, line }) => (
            <code key={`${path} ${line}`}>{line === undefined ? path : `${path}:${line}`} </code>
          ))}
        </p>
      ))}
      {node.kind === "conclude" ? <ChangeOfRun run={run} /> : null}
      <NodeLog graph={graph} node={id} />
      <CommandLine text={`sylk run show ${run.id}`} />
    </Drawer>
  );
}

/** The artifact of a whole run is its change. */
function ChangeOfRun({ run: { commit, workspace, outcome, mergedAs } }: { readonly run: Run }): ReactNode {
  return (
    <>
      <h3>Change</h3>
      <Facts
        rows={[
          ["Commit", commit === undefined ? "none" : <code key="commit">{commit}</code>],
          ["Branch", workspace === undefined ? "removed" : <code key="branch">{workspace.branch}</code>],
          ["Outcome", outcome],
          ["Merged as", mergedAs === undefined ? "not merged" : <code key="merged">{mergedAs}</code>],
        ]}
      />
    </>
  );
}

function CheckResult({ check }: { readonly check: Check }): ReactNode {
  return (
    <>
      <h3>Check</h3>
      <p>
        <StateMark state={check.outcome} /> {check.summary}
      </p>
      {check.command === undefined ? null : <code>{check.command.join(" ")}</code>}
      {(check.failures ?? []).map(({ name, file, line, output }, place) => (
        <div key={place}>
          <p>
            <strong>{name ?? "Unnamed failure"}</strong>{" "}
            {file === undefined ? null : <code>{line === undefined ? file : `${file}:${line}`}</code>}
          </p>
          <pre className="listing" tabIndex={0} aria-label={`Output of ${name ?? "the failure"}`}>
            {output}
          </pre>
        </div>
      ))}
    </>
  );
}
