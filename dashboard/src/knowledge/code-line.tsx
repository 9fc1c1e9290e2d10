/** A line of code with its place; the part that was searched for is marked. */
import type { ReactNode } from "react";
import { Link } from "../shell/use-route.tsx";
import { highlightCode, type Span } from "./highlight-code.ts";

type CodeLineProps = {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly matches?: readonly Span[];
  readonly about?: ReactNode;
};

export function CodeLine({ path, line, text, matches = [], about }: CodeLineProps): ReactNode {
  return (
    <div role="listitem" className="code-line">
      <p className="code-place">
        <Link to={{ page: "files", id: path, terms: {} }}>
          <code>{`${path}:${line}`}</code>
        </Link>
        <span className="quiet">{about}</span>
      </p>
      <pre className="code" tabIndex={0} aria-label={`${path}:${line}`}>
        {highlightCode(text, path, matches).map(({ kind, text: piece, isMatch }, place) => (
          <span key={place} className={kind}>
            {isMatch ? <mark>{piece}</mark> : piece}
          </span>
        ))}
      </pre>
    </div>
  );
}
