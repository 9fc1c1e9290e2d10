/** A titled part of a page, and what it says while there is nothing in it, or no answer. */
import { type ReactNode, useId } from "react";
import type { Answer } from "../live/live-store.ts";
import { CommandLine } from "./command-line.tsx";

type SectionProps = {
  readonly title: string;
  readonly count?: number | undefined;
  /** There are more than were counted. */
  readonly hasMore?: boolean | undefined;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export function Section({ title, count, hasMore = false, actions, children }: SectionProps): ReactNode {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <header>
        <h2 id={id}>
          {title}
          {count === undefined ? null : (
            <span className="count">{` ${count.toLocaleString("en")}${hasMore ? "+" : ""}`}</span>
          )}
        </h2>
        {actions}
      </header>
      {children}
    </section>
  );
}

/** Nothing is there: says so, and what to type. */
export function Empty({ children, command }: { readonly children: ReactNode; readonly command?: string }): ReactNode {
  return (
    <div className="empty">
      <p>{children}</p>
      {command === undefined ? null : <CommandLine text={command} />}
    </div>
  );
}

/**
 * An answer drawn, or what is in its place: not here yet, or refused. An old answer stays visible beside the reason why
 * there is no newer one.
 */
export function Answered<Data>({
  answer,
  children,
}: {
  readonly answer: Answer<Data>;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  const { data, problem } = answer;
  return (
    <>
      {problem === undefined ? null : (
        <p className="problem" role="alert">
          {problem.message}
        </p>
      )}
      {data !== undefined ? children(data) : problem === undefined ? <p className="quiet">Loading…</p> : null}
    </>
  );
}
