/** Code: symbols, files and text by words, text, regular expression or pattern. */
import type { ReactNode } from "react";
import type { CodeAbout, CodeSymbol } from "../daemon/contract.ts";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { LongList } from "../parts/long-list.tsx";
import { Answered, Empty, Section } from "../parts/section.tsx";
import { count } from "../parts/wording.ts";
import type { ProjectInView } from "../shell/use-project.ts";
import { Link } from "../shell/use-route.tsx";
import { CodeLine } from "./code-line.tsx";
import { spansOfWords } from "./highlight-code.ts";
import { quoteWord } from "../parts/quote-word.ts";
import { useNewest } from "./use-newest.ts";

type Asked = { readonly text: string; readonly project: ProjectInView };
/** Of one answer; only the rows in view are mounted. */
const most = 500;

export const codeWays = {
  find: "everything",
  text: "text",
  regex: "regular expression",
  ast: "code pattern",
  symbols: "symbols",
};

export function CodeTab({ text, how, project }: Asked & { readonly how: string }): ReactNode {
  if (text === "") return <Empty command="sylk find priceOf">Type a name, some words, or code.</Empty>;
  if (how === "symbols") return <SymbolSearch text={text} project={project} />;
  if (how === "find" || !(how in codeWays)) return <FindAnything text={text} project={project} />;
  return <TextSearch text={text} how={how} project={project} />;
}

function FindAnything({ text, project }: Asked): ReactNode {
  const found = useNewest("code.find", { text, limit: most }, project);
  return (
    <Answered answer={found}>
      {({ exists, symbols, files, places, more, about }) => (
        <>
          <p role="status">
            {
              {
                yes: "It exists.",
                similar: "Names that are close exist.",
                no: "None was found.",
                unknown: "Unknown: files are not indexed yet.",
              }[exists]
            }
          </p>
          <SymbolRows symbols={symbols} text={text} />
          {files.length === 0 ? null : (
            <Section title="Files" count={files.length}>
              <LongList className="rows" label="Files">
                {files.map(({ path, language, lines }) => (
                  <div key={path} role="listitem" className="row">
                    <Link to={{ page: "files", id: path }}>
                      <code>{path}</code>
                    </Link>
                    <span className="quiet">
                      {language}, {count(lines, "line")}
                    </span>
                  </div>
                ))}
              </LongList>
            </Section>
          )}
          {places.length === 0 ? null : (
            <Section title="Text" count={places.length}>
              <LongList className="code-lines" label="Text">
                {places.map((place) => (
                  <CodeLine key={`${place.path}:${place.line}`} {...place} matches={spansOfWords(place.text, text)} />
                ))}
              </LongList>
            </Section>
          )}
          <Rests about={about} more={more} command={`sylk find ${quoteWord(text)}`} />
        </>
      )}
    </Answered>
  );
}

function TextSearch({ text, how, project }: Asked & { readonly how: string }): ReactNode {
  const found = useNewest("code.search", { text, regex: how === "regex", ast: how === "ast", limit: most }, project);
  const flag = how === "text" ? "" : ` --${how}`;
  return (
    <Answered answer={found}>
      {({ items, more, about }) => (
        <>
          <Section title="Matches" count={items.length} hasMore={more}>
            {items.length === 0 ? <Empty>No indexed file has it.</Empty> : null}
            <LongList className="code-lines" label="Matches">
              {items.map(({ path, line, column, text: code }) => (
                <CodeLine
                  key={`${path}:${line}:${column}`}
                  path={path}
                  line={line}
                  text={code}
                  matches={how === "text" ? spansOfWords(code, text) : [[column - 1, code.length]]}
                />
              ))}
            </LongList>
          </Section>
          <Rests about={about} more={more} command={`sylk search ${quoteWord(text)}${flag}`} />
        </>
      )}
    </Answered>
  );
}

function SymbolSearch({ text, project }: Asked): ReactNode {
  const found = useNewest("code.symbols", { name: text, limit: most }, project);
  return (
    <Answered answer={found}>
      {({ items, more, about }) => (
        <>
          {items.length === 0 ? <Empty>No symbol has a name like this.</Empty> : null}
          <SymbolRows symbols={items} text={text} />
          <Rests about={about} more={more} command={`sylk symbols ${quoteWord(text)}`} />
        </>
      )}
    </Answered>
  );
}

function SymbolRows({ symbols, text }: { readonly symbols: readonly CodeSymbol[]; readonly text: string }): ReactNode {
  if (symbols.length === 0) return null;
  return (
    <Section title="Symbols" count={symbols.length}>
      <LongList className="code-lines" label="Symbols">
        {symbols.map(({ name, kind, path, line, column, signature }) => (
          <CodeLine
            key={`${path}:${line}:${column}`}
            path={path}
            line={line}
            text={signature}
            matches={spansOfWords(signature, text)}
            about={
              <>
                {kind} <Link to={{ page: "knowledge", id: name }}>{name}</Link>
              </>
            }
          />
        ))}
      </LongList>
    </Section>
  );
}

/** A symbol: where it is defined, where it is used, and what else is in its file. */
export function SymbolPage({
  symbol,
  project,
}: {
  readonly symbol: string;
  readonly project: ProjectInView;
}): ReactNode {
  const found = useLive("code.usages", { symbol, limit: most }, { project });
  const file = found.data?.definitions[0]?.path;
  const outline = useLive("code.outline", file === undefined ? undefined : { path: file }, { project }).data;
  return (
    <Answered answer={found}>
      {({ definitions, items, more, about }) => (
        <>
          {definitions.length > 0 ? null : <Empty>No symbol in the indexed files is called “{symbol}”.</Empty>}
          <SymbolRows symbols={definitions} text={symbol} />
          <Section title="Usages" count={items.length} hasMore={more}>
            {items.length === 0 ? <p className="quiet">None was found.</p> : null}
            <LongList className="code-lines" label="Usages">
              {items.map(({ path, line, column, text, kind, confidence, within }) => (
                <CodeLine
                  key={`${path}:${line}:${column}`}
                  path={path}
                  line={line}
                  text={text}
                  matches={spansOfWords(text, symbol)}
                  about={`${kind}, ${confidence}${within === undefined ? "" : `, in ${within}`}`}
                />
              ))}
            </LongList>
          </Section>
          {outline === undefined ? null : (
            <Section title={`Outline of ${outline.path}`} count={outline.symbols.length}>
              <LongList className="rows" label="Outline">
                {outline.symbols.map(({ name, kind, line, column }) => (
                  <div key={`${line}:${column}`} role="listitem" className="row">
                    <Link to={{ page: "knowledge", id: name }}>{name}</Link>
                    <span className="quiet">
                      {kind}, line {line}
                    </span>
                  </div>
                ))}
              </LongList>
            </Section>
          )}
          <Rests about={about} more={more} command={`sylk usages ${quoteWord(symbol)}`} />
        </>
      )}
    </Answered>
  );
}

type RestsProps = { readonly about: CodeAbout; readonly more: boolean; readonly command: string };

/** What an answer rests on: tree, revision, provider, and the files it does not cover. */
function Rests({ about, more, command }: RestsProps): ReactNode {
  const { revision, provider, confidence, files, notIndexed, failed, notes } = about;
  return (
    <footer className="rests quiet">
      {more ? <p>The limit left results out.</p> : null}
      {notIndexed.count === 0 ? null : (
        <p className="callout">
          {count(notIndexed.count, "file")} not covered, {notIndexed.waiting} of them still to be read.
        </p>
      )}
      <p>
        {revision} · {count(files, "file")} · by {provider}, {confidence}
      </p>
      {[...failed.map(({ provider: name, reason }) => `${name}: ${reason}`), ...notes].map((note) => (
        <p key={note}>{note}</p>
      ))}
      <CommandLine text={command} />
    </footer>
  );
}
