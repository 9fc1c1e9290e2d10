/** A script inside of a component: everything around it is blank, so that places stay as they are. */
import { languages } from "./languages.ts";
import type { Question } from "./read-facts.ts";

export function scriptAlone(
  question: Question,
  { start, end }: { readonly start: number; readonly end: number },
): Question {
  const { text } = question;
  const blank = text.slice(0, start).replaceAll(/[^\n]/g, " ");
  return { ...question, text: blank + text.slice(start, end), language: languages.get("typescript")! };
}
