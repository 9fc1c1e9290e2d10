/** A run step by step: a slider over its events, and its state at that step. */
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { CommandLine } from "../parts/command-line.tsx";
import { Facts } from "../parts/facts.tsx";
import { Answered, Section } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { count } from "../parts/wording.ts";
import type { Route } from "../shell/route.ts";
import { goTo, Link } from "../shell/use-route.tsx";
import { emptyReplay, type Replay, replay } from "./replay-graph.ts";
import { sayEvent } from "./say-event.ts";
import { type ReplayedGraph, useGraph, useGraphEvents } from "./use-graph-events.ts";

const paceMs = 700;

export function ReplayView({ id, route }: { readonly id: string; readonly route: Route }): ReactNode {
  const graph = useGraph(id);
  return (
    <>
      <header className="page-head">
        <h2>Replay</h2>
        <Link to={{ page: "events", terms: {} }}>All events</Link>
      </header>
      <Answered answer={graph}>{(data) => <Stepper id={id} graph={data} route={route} />}</Answered>
    </>
  );
}

type StepperProps = { readonly id: string; readonly graph: ReplayedGraph; readonly route: Route };

function Stepper({ id, graph, route }: StepperProps): ReactNode {
  const { events, isWhole, problem } = useGraphEvents(id, graph);
  const [isPlaying, setPlaying] = useState(false);
  const asked = Number(route.terms["step"] ?? NaN);
  const end = events.length;
  const step = Math.min(Number.isInteger(asked) && asked >= 0 ? asked : end, end);
  const show = (next: number): void =>
    goTo({ ...route, terms: { ...route.terms, step: String(next) } }, { replace: true });
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(() => {
      if (step >= end) setPlaying(false);
      else show(step + 1);
    }, paceMs);
    return () => clearTimeout(timer);
  });
  const start = useMemo(() => emptyReplay(graph.nodes), [graph.nodes]);
  const state = useMemo(() => replay(events.slice(0, step), start), [events, step, start]);
  const event = events[step - 1];
  const play = (): void => {
    if (!isPlaying && step >= end) show(0);
    setPlaying(!isPlaying);
  };
  return (
    <Section title={graph.name} actions={<Link to={{ page: "runs", id }}>Open it now</Link>}>
      {problem === undefined ? null : (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <div className="replay-controls">
        <button type="button" className="primary" onClick={play}>
          {isPlaying ? "Pause" : "Play"}
        </button>
        <button type="button" onClick={() => show(Math.max(0, step - 1))} disabled={step === 0}>
          Back
        </button>
        <button type="button" onClick={() => show(step + 1)} disabled={step >= end}>
          Next
        </button>
        <input
          type="range"
          aria-label="Step"
          min={0}
          max={end}
          value={step}
          aria-valuetext={`Step ${step} of ${end}: ${event === undefined ? "before the first event" : sayEvent(event)}`}
          onChange={({ target }) => {
            setPlaying(false);
            show(Number(target.value));
          }}
        />
        <output className="replay-step">{`Step ${step} of ${end}${isWhole ? "" : " read so far"}`}</output>
      </div>
      <p className="event-said">
        {event === undefined ? (
          "Before the first event."
        ) : (
          <>
            {sayEvent(event)}{" "}
            <Link to={{ page: "events", id: String(event.sequence), terms: route.terms }}>Event {event.sequence}</Link>
          </>
        )}
      </p>
      <ReplayedState state={state} />
      <CommandLine text={id.startsWith("dag_") ? `sylk dag show ${id}` : `sylk run show ${id}`} />
    </Section>
  );
}

function ReplayedState({ state }: { readonly state: Replay }): ReactNode {
  const { status, reason, nodes, checks, cost } = state;
  const tokens = cost.inputTokens + cost.outputTokens;
  return (
    <>
      <Facts
        rows={[
          ["State", status === undefined ? "not started" : <StateMark key="state" state={status} />],
          ...(reason === undefined ? [] : [["Reason", reason] as const]),
          [
            "Tokens",
            `${tokens.toLocaleString("en")} in ${count(cost.calls, "call")}${cost.unknownCalls > 0 ? `; ${count(cost.unknownCalls, "call")} of unknown size left out` : ""}`,
          ],
        ]}
      />
      <ul className="replay-board" aria-label="Nodes at this step">
        {[...nodes.values()].map((node) => (
          <li key={node.id} data-node={node.title}>
            <StateMark state={node.state} />
            <strong>{node.title}</strong>
            {node.attempt > 1 ? <span className="quiet">attempt {node.attempt}</span> : null}
            {node.why === undefined ? null : <span className="quiet">{node.why}</span>}
          </li>
        ))}
      </ul>
      {checks.length === 0 ? null : (
        <ul className="rows" aria-label="Checks at this step">
          {checks.map((check, index) => (
            <li key={index}>
              <StateMark state={check.outcome} /> {check.kind}, round {check.round}{" "}
              <span className="quiet">{check.summary}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
