/** Research: sources, answers from them, and one claim checked against them. */
import { type ReactNode, type SubmitEvent, useEffect, useState } from "react";
import type { Citation, Claim, OutputOf } from "../daemon/contract.ts";
import { useDaemon, useLive } from "../live/live-context.tsx";
import type { Answer } from "../live/live-store.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { LongList } from "../parts/long-list.tsx";
import { Answered, Empty, Section } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { count } from "../parts/wording.ts";
import { useAction } from "../shell/use-action.ts";
import type { ProjectInView } from "../shell/use-project.ts";
import { arrangeClaims, citedPlace } from "./arrange-claims.ts";
import { quoteWord } from "../parts/quote-word.ts";

type Asked = { readonly text: string; readonly project: ProjectInView };
export const researchWays = { ask: "an answer", check: "a check of this claim" };

export function ResearchTab({ text, how, project }: Asked & { readonly how: string }): ReactNode {
  const sources = useLive("research.sources", { limit: 200 }, { project });
  const version = sources.data?.items.map(({ id, addedAt }) => `${id} ${addedAt}`).join();
  return (
    <>
      {text === "" || version === undefined ? null : how === "check" ? (
        <Checked text={text} project={project} />
      ) : (
        <Answers key={version} text={text} project={project} />
      )}
      <Answered answer={sources}>{({ items }) => <Sources items={items} project={project} />}</Answered>
    </>
  );
}

/** Asked once for each question and state of the sources: an answer is an entry of the event log. */
function Answers({ text, project }: Asked): ReactNode {
  const { client } = useDaemon();
  const [answer, setAnswer] = useState<Answer<OutputOf<"research.ask">>>({});
  useEffect(() => {
    let isNewest = true;
    const keep = (next: typeof answer): void => {
      if (isNewest) setAnswer(next);
    };
    client.call("research.ask", { question: text }, { project: project.path }).then(
      (data) => keep({ data }),
      (problem: unknown) => keep({ problem: problem instanceof Error ? problem : new Error(String(problem)) }),
    );
    return () => {
      isNewest = false;
    };
  }, [client, text, project.path]);
  return (
    <Section title="Answer">
      <Answered answer={answer}>
        {({ outcome, claims, citations, confidence, method, search, sources, notes }) => (
          <>
            {outcome === "no-source" ? <p role="status">No source says anything about this.</p> : null}
            <Claims claims={claims} citations={citations} />
            <p className="quiet">
              Confidence {confidence.toFixed(2)} · {method} · {search} · {count(sources, "source")} searched{" "}
              {notes.join(" ")}
            </p>
          </>
        )}
      </Answered>
      <CommandLine text={`sylk research ${quoteWord(text)}`} />
    </Section>
  );
}

function Checked({ text, project }: Asked): ReactNode {
  const found = useLive("research.check", { claim: text }, { project });
  return (
    <Section title="Check">
      <Answered answer={found}>{({ claim, citations }) => <Claims claims={[claim]} citations={citations} />}</Answered>
      <CommandLine text={`sylk research check ${quoteWord(text)}`} />
    </Section>
  );
}

function Claims({
  claims,
  citations,
}: {
  readonly claims: readonly Claim[];
  readonly citations: readonly Citation[];
}): ReactNode {
  return (
    <ol className="claims" aria-label="Claims">
      {arrangeClaims(claims, citations).map(({ text, kind, shape, beside, citation }, place) => (
        <li key={place}>
          <div>
            <StateMark state={shape} label={kind} /> <bdi>{text}</bdi>
          </div>
          <div className="beside">
            <bdi>{beside}</bdi>
            {citation === undefined ? null : (
              <p className="quiet">
                [{citation.number}] <bdi>{citation.title}</bdi> <code>{citedPlace(citation)}</code>
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

type SourcesProps = { readonly items: OutputOf<"research.sources">["items"]; readonly project: ProjectInView };

function Sources({ items, project }: SourcesProps): ReactNode {
  const { act, isBusy } = useAction();
  const [location, setLocation] = useState("");
  const add = async (submitted: SubmitEvent): Promise<void> => {
    submitted.preventDefault();
    const added = await act("research.add", { location }, { project: project.path, done: "The source was added." });
    if (added !== undefined) setLocation("");
  };
  return (
    <Section title="Sources" count={items.length} actions={<CommandLine text="sylk research sources" />}>
      {items.length > 0 ? null : (
        <Empty command="sylk research add docs">No source was added. Answers come only from sources.</Empty>
      )}
      <form className="decision" onSubmit={(submitted) => void add(submitted)}>
        <input
          value={location}
          onChange={({ target }) => setLocation(target.value)}
          placeholder="Absolute path, or https://…"
          aria-label="Path or address of a source"
        />
        <button type="submit" disabled={isBusy || location.trim() === ""}>
          Add the source
        </button>
        <p className="quiet holds-for">A source holds for all agents of {project.name}, and so does its removal.</p>
      </form>
      <LongList className="rows" label="Sources">
        {items.map(({ id, title, kind, location: place, documents, passages, quality, notes }) => (
          <div key={id} role="listitem" className="row">
            <strong className="one-line">{title}</strong>
            <code className="one-line">{place}</code>
            <span className="quiet">
              {kind}, {count(documents, "document")}, {count(passages, "passage")}, quality {quality.toFixed(2)}{" "}
              {notes.join(" ")}
            </span>
            <button
              type="button"
              disabled={isBusy}
              aria-label={`Remove ${title}`}
              onClick={() =>
                void act("research.remove", { id }, { project: project.path, done: `${title} was removed.` })
              }
            >
              Remove
            </button>
          </div>
        ))}
      </LongList>
    </Section>
  );
}
