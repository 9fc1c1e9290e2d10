/** Text on which the grammar would need more than linear time: very many braces, parentheses or heredocs in one place. */
const mostBraces = 500;
const mostHeredocs = 500;
const deepestParentheses = 100;

export function isTooTangled(text: string): boolean {
  if (text.split("<<").length > mostHeredocs) return true;
  let braces = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === "{") braces++;
    else if (letter === " " || letter === "\n" || letter === "\t") braces = 0;
    else if (letter === "(") depth++;
    else if (letter === ")") depth = Math.max(0, depth - 1);
    if (braces > mostBraces || depth > deepestParentheses) return true;
  }
  return false;
}
