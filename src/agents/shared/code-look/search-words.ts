/** A question of any length as words that one search takes: each word once, in their order, as many as fit. */
const longest = 500;

export function searchWords(question: string): string {
  if (question.length <= longest) return question;
  let words = "";
  for (const word of new Set(question.split(/\s+/u).map((part) => part.slice(0, longest)))) {
    const more = words === "" ? word : `${words} ${word}`;
    if (word !== "" && more.length <= longest) words = more;
  }
  return words;
}
