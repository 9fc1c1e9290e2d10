/** The values that an Engineer's prompt carries; its standing words are in prompt.md. */
export type Answered = { readonly question: string; readonly answer: string };

export function workPrompt(
  title: string,
  prompt: string,
  parents: Readonly<Record<string, unknown>>,
  answers: readonly Answered[] = [],
): string {
  const before = Object.values(parents).map((result) => `- ${summaryOf(result)}`);
  const asked = answers.map(({ question, answer }) => `- ${question}\n  Answer: ${answer}`);
  return [
    `${title}\n\n${prompt}`,
    ...(before.length === 0 ? [] : [`Done before by others:\n${before.join("\n")}`]),
    ...(asked.length === 0
      ? []
      : [`You began this and asked; what you wrote until then is in the tree:\n${asked.join("\n")}`]),
  ].join("\n\n");
}

function summaryOf(result: unknown): string {
  const { summary } = result as { summary?: unknown };
  return typeof summary === "string" ? summary : "done";
}
