/** The end of a command's output, where it met a file that the kernel kept as it was; only that is worth a question. */

const refusals = /read-only file system|EROFS|device or resource busy|EBUSY|cross-device link|EXDEV/i;
/** As long as `guard.used` takes. */
export const mostSaid = 8_000;

export function metReadOnly(answer: unknown): readonly string[] {
  const text = typeof answer === "string" ? answer : JSON.stringify(answer ?? "");
  const at = text.search(refusals);
  return at === -1 ? [] : [text.slice(Math.max(0, at - 2_000), at + 2_000)];
}
