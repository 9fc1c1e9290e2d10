/** The words of a question that a search can use. */
const said = new Set(
  "about all am an and any anybody are as ask at be been before by can could did do does find for from give go had has have he here how if in into is it its last list locate look me my no of on or our please say search should show so somebody tell than that the their them then there these they this those to tried try up us use used was we week were what when where which who why will with would yesterday you your".split(
    " ",
  ),
);
const mostWords = 12;

export function questionWords(question: string): readonly string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !said.has(word)).slice(0, mostWords);
}
