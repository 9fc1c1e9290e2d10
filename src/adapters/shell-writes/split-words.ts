/** Words between the separators of a shell, `IFS`. */
export const blanks = " \t\n";

/** Blanks count as one separator together, others each by itself. */
export function wordsBetween(text: string, separators: string): readonly string[] {
  if (separators === "") return [text];
  if (separators === blanks) return text.split(/[ \t\n]+/);
  const words = [""];
  for (const letter of text)
    if (separators.includes(letter)) words.push("");
    else words[words.length - 1] += letter;
  return words;
}
