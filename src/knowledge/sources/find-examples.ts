/** Code in the sources: the blocks between fences of the passages that fit a topic. */
import type { CodeExample, InputOf, OutputOf, ProjectId } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { ResearchPorts } from "./ask-research.ts";
import { findPassages, toCitation } from "./find-passages.ts";

const fenced = /^[ \t]{0,3}(```|~~~)([\w+#.-]*)[^\n]*\n([\s\S]*?)^[ \t]{0,3}\1/gm;
const mostSources = 20;

export async function findExamples(
  { topic, language, limit }: InputOf<"research.examples">,
  project: ProjectId,
  { store, vectors }: Pick<ResearchPorts, "store" | "vectors">,
): Promise<OutputOf<"research.examples">> {
  const wanted = { question: topic, project, maxSources: mostSources };
  const { passages, search } = await findPassages(wanted, store.reader.sources, vectors);
  const found = passages.flatMap((passage) => {
    const citation = toCitation(passage, 1);
    return blocksIn(citation.text).map((block) => ({ citation, ...block }));
  });
  const fitting = found.filter(
    (one) => language === undefined || one.language?.toLowerCase() === language.toLowerCase(),
  );
  const shown = fitting.slice(0, limit);
  const citations = [...new Set(shown.map(({ citation }) => citation))].map((one, index) => ({
    ...one,
    number: index + 1,
  }));
  const items: CodeExample[] = shown.map(({ code, language: of, citation }) => ({
    code,
    ...defined({ language: of }),
    citation:
      citations.findIndex(
        ({ location, span }) => location === citation.location && span.start === citation.span.start,
      ) + 1,
  }));
  return { items, citations, search };
}

function blocksIn(text: string): readonly { readonly code: string; readonly language: string | undefined }[] {
  return [...text.matchAll(fenced)].map(([, , language = "", code = ""]) => ({
    code: code.trimEnd(),
    language: language === "" ? undefined : language,
  }));
}
