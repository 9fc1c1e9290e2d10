/**
 * Words that hide their subject are refused in texts that people read: "whoever", "nobody", "somebody" and "goes on" in
 * sources, programs, prompts and docs, and in titles of tests (test-rules.ts). Name the agent, the user, the daemon or
 * the caller; say "continues".
 */
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { Check } from "./check.ts";

const WORDS = /\b(whoever|nobody|somebody|goes on)\b/gi;
const TEXTS = [
  "{src,dashboard/src}/**/*.{ts,tsx,js,cjs,sh,pl,md,json,html}",
  "dashboard/*.{html,md}",
  "docs/**/*.md",
  "*.md",
];
/** Bodies of tests, generated pages, the requirements as they were given, and words that users type. */
const SKIPPED =
  /(\.test\.tsx?|\/testkit\.ts)$|^docs\/(reference|requirements)\/|^docs\/real-clients\.md$|^src\/agents\/shared\/answers\/question-words\.ts$|^src\/orchestration\/guide\/routing\/standard-cards\.ts$/;
export const plainEnglish: Check = {
  name: "english",
  run: (root) =>
    Promise.resolve(
      globSync(TEXTS, { cwd: root, exclude: (path) => path === "node_modules" })
        .map((file) => file.split(sep).join("/"))
        .filter((file) => !SKIPPED.test(file))
        .toSorted()
        .flatMap((file) => findWords(file, readFileSync(join(root, file), "utf8"))),
    ),
};

function findWords(file: string, text: string): string[] {
  return text
    .split("\n")
    .flatMap((line, index) => hiddenSubjects(line).map((problem) => `${file}:${index + 1}: ${problem}`));
}

export function hiddenSubjects(text: string): string[] {
  return [...text.matchAll(WORDS)].map(([word]) => `"${word}": name the subject, in the active voice`);
}
