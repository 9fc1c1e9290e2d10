/** Names of symbols that a question in words is about. Pure. */
const asked =
  /\b(?:where|what|who)\s+(?:is|are|does|calls|uses)\s+(?:the\s+)?(?:\w+\s+)??([\p{L}_$][\p{L}\p{N}_$]*)(?:\(\))?\s+(?:defined|declared|implemented|do|return|called|used)\b/giu;
/** As names stand in code: quoted, called, with an underscore, or with a capital inside. */
const codeLike =
  /`([^`\s]+)`|([\p{L}_$][\p{L}\p{N}_$]*)\(\)|\b(\p{L}[\p{L}\p{N}]*_[\p{L}\p{N}_]+|\p{Ll}+\p{Lu}[\p{L}\p{N}]*|\p{Lu}\p{Ll}+\p{Lu}[\p{L}\p{N}]*)\b/gu;
const most = 4;

export function symbolsNamedIn(question: string): readonly string[] {
  const found = [...question.matchAll(codeLike), ...question.matchAll(asked)].flatMap((groups) =>
    groups.slice(1).filter((name) => name !== undefined),
  );
  // `Cart.total()` is found by its last part.
  const names = found.map((name) =>
    name
      .replace(/\(\)$/, "")
      .split(/[.#:]+/)
      .at(-1)!,
  );
  return [...new Set(names)].filter((name) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)).slice(0, most);
}
