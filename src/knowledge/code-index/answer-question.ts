/** Each question of the contract with what answers it. */
import { type InputOf, invalidInput, type OutputOf } from "../../contract/index.ts";
import { answerDrift } from "./answer-drift.ts";
import { findAnything } from "./find-anything.ts";
import { listDependents } from "./list-imports.ts";
import { listSymbols } from "./list-symbols.ts";
import { listUsages } from "./list-usages.ts";
import { mapRepository } from "./map-repository.ts";
import { listFiles, outlineOf } from "./outline.ts";
import { searchAst } from "./search-ast.ts";
import { searchRanked } from "./search-ranked.ts";
import { searchText } from "./search-text.ts";
import type { QuestionPorts, Rests, View } from "./view.ts";

export type CodeQuestion = Extract<keyof typeof questions, string>;
export type CodeAnswer<Name extends CodeQuestion> = OutputOf<Name>;

type Answerer<Name extends CodeQuestion> = (
  input: InputOf<Name>,
  view: View,
  ports: QuestionPorts,
) => MaybePromise<Omit<OutputOf<Name>, "about" | "exists"> & { readonly rests: Rests }>;
type MaybePromise<T> = T | Promise<T>;

const questions = {
  "code.find": findAnything,
  "code.search": search,
  "code.symbols": listSymbols,
  "code.usages": listUsages,
  "code.dependents": listDependents,
  "code.outline": outlineOf,
  "code.files": listFiles,
  "code.map": mapRepository,
  "code.drift": answerDrift,
} as const;

function search(input: InputOf<"code.search">, view: View, ports: QuestionPorts) {
  if (input.ast && (input.regex || input.ranked || input.docs || input.ignoreCase))
    throw invalidInput(
      "ast",
      "a pattern is not also an expression or words; leave out regex, ranked, docs, ignoreCase",
    );
  if (input.language !== undefined && !input.ast) throw invalidInput("language", "only a pattern has one; add ast");
  if (input.ast) return searchAst(input, view, ports);
  return input.ranked || input.docs ? searchRanked(input, view, ports) : searchText(input, view, ports);
}

export function answererOf<Name extends CodeQuestion>(name: Name): Answerer<Name> {
  return questions[name] as unknown as Answerer<Name>;
}
