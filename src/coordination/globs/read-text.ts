/**
 * Every path and every glob must be, before anything else is checked: present, short, well-formed, printable, in NFC.
 *
 * NFC because two spellings of one file name (macOS hands out `e` + accent, people type `é`) must not count as two files.
 */
import { InvalidPattern } from "./invalid-pattern.ts";

/** Also bounds the automaton: a glob has at most about one state per character. */
const LONGEST = 1024;

export function readText(text: string): string {
  if (text === "") throw new InvalidPattern(text, 0, "it is empty; write ** for every file");
  if (text.length > LONGEST) throw tooLong(text);
  const lossy = text.indexOf("\ufffd");
  if (lossy >= 0)
    throw new InvalidPattern(
      text,
      lossy,
      "it holds bytes that are not UTF-8; rename the file, or reserve its directory with /**",
    );
  if (!text.isWellFormed()) throw new InvalidPattern(text, text.search(/\p{Cs}/u), "it is not well-formed Unicode");
  const source = text.normalize("NFC");
  if (source.length > LONGEST) throw tooLong(source);
  const control = source.search(/\p{Cc}/u);
  if (control >= 0)
    throw new InvalidPattern(source, control, "a control character cannot be named; reserve its directory with /**");
  return source;
}

function tooLong(text: string): InvalidPattern {
  return new InvalidPattern(
    text,
    LONGEST,
    `it is longer than ${LONGEST} characters; reserve a directory above it or split it`,
  );
}
