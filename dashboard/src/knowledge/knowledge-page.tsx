/** Knowledge of one project: its code, its history, its research; one search box for all three. */
import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { changeTerms } from "../parts/change-terms.ts";
import { SearchField } from "../parts/search-field.tsx";
import { Answered, Empty } from "../parts/section.tsx";
import type { PageProps } from "../shell/page-props.ts";
import { useOneProject } from "../shell/use-project.ts";
import { goTo, Link } from "../shell/use-route.tsx";
import { CodeTab, codeWays, SymbolPage } from "./code-tab.tsx";
import { HistoryTab, historyWays } from "./history-tab.tsx";
import { ResearchTab, researchWays } from "./research-tab.tsx";
import "./knowledge.css";

const tabs = { code: "Code", history: "History", research: "Research" } as const;
const ways: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  code: codeWays,
  history: historyWays,
  research: researchWays,
};

export function KnowledgePage({ route }: PageProps): ReactNode {
  const project = useOneProject();
  const { terms, id } = route;
  const tab = terms["tab"] !== undefined && terms["tab"] in tabs ? terms["tab"] : "code";
  const { text = "", how = Object.keys(ways[tab]!)[0]! } = terms;
  const change = (changes: Readonly<Record<string, string | undefined>>): void =>
    goTo({ ...route, id: undefined, terms: changeTerms(terms, changes) }, { replace: true });
  return (
    <div className="page knowledge-page">
      <header className="page-head">
        <h2>Knowledge</h2>
        <nav className="tabs" aria-label="Kinds of knowledge">
          {Object.entries(tabs).map(([key, name]) => (
            <Link
              key={key}
              to={{ page: "knowledge", terms: changeTerms({ text }, { tab: key }) }}
              aria-current={key === tab ? "page" : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
      </header>
      {project === undefined ? (
        <ChooseProject route={route} />
      ) : (
        <>
          <div className="filters">
            <SearchField label={`Search ${tab}`} value={text} onSearch={(next) => change({ text: next })} />
            <select aria-label="Look for" value={how} onChange={({ target }) => change({ how: target.value })}>
              {Object.entries(ways[tab]!).map(([key, name]) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          {tab === "history" ? (
            <HistoryTab route={route} project={project} />
          ) : tab === "research" ? (
            <ResearchTab text={text} how={how} project={project} />
          ) : id !== undefined ? (
            <SymbolPage symbol={id} project={project} />
          ) : (
            <CodeTab key={how} text={text} how={how} project={project} />
          )}
        </>
      )}
    </div>
  );
}

function ChooseProject({ route }: PageProps): ReactNode {
  const answer = useLive("project.list", {});
  return (
    <Answered answer={answer}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty command="sylk install claude-code">No project is known yet.</Empty>
        ) : (
          <div className="empty">
            <p>Knowledge belongs to one project. Choose it:</p>
            <p className="filters">
              {items.map(({ id, name }) => (
                <button key={id} type="button" onClick={() => goTo({ ...route, project: id })}>
                  {name}
                </button>
              ))}
            </p>
          </div>
        )
      }
    </Answered>
  );
}
