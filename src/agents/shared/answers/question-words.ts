/** The words of a question that a search can use. */
const said = new Set(
  "about all and any anybody are ask been before can could did does find for from give had has have here how into its last list locate look our please say search should show somebody tell than that the their them then there these they this those tried try use used was week were what when where which who why will with would yesterday you your".split(
    " ",
  ),
);
const mostWords = 12;

export function questionWords(question: string): readonly string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !said.has(word)).slice(0, mostWords);
}
