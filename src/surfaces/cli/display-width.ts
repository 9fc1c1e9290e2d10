/** How many columns of a terminal a text takes: wide letters and emoji take two, marks and joiners none, colours none. */
import { stripVTControlCharacters } from "node:util";

/** Made when the first text needs it: most commands print none. */
let segmenter: Intl.Segmenter | undefined;
const plainText = /^[\u0020-\u007e]*$/;
const pictured = /\p{Emoji_Presentation}|\ufe0f|\p{Regional_Indicator}/u;
const invisible = /^[\p{Mark}\p{Cf}\p{Cc}]+$/u;
/** Blocks whose letters the East Asian width table calls wide or fullwidth. */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18d08}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;

export function displayWidth(text: string): number {
  const shown = stripVTControlCharacters(text);
  if (plainText.test(shown)) return shown.length;
  return lettersOf(shown).reduce((width, letter) => width + letterWidth(letter), 0);
}

/** What a reader takes for one letter each. */
export function lettersOf(text: string): readonly string[] {
  if (plainText.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function letterWidth(letter: string): number {
  if (invisible.test(letter)) return 0;
  return pictured.test(letter) || wide.test(letter) ? 2 : 1;
}

/** The first letters that fit, without colours. */
function startOf(text: string, width: number): string {
  let room = width;
  let shown = "";
  for (const letter of lettersOf(text)) {
    room -= letterWidth(letter);
    if (room < 0) break;
    shown += letter;
  }
  return shown;
}

export function cutAtEnd(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `${startOf(text, Math.max(0, width - 1)).trimEnd()}…`;
}

/** Start and end of a text with … between them; the end, where a path has its file, gets the larger share. */
export function cutInMiddle(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  if (width < 1) return "";
  const start = startOf(text, Math.floor((width - 1) / 3));
  const room = width - 1 - displayWidth(start);
  const letters = lettersOf(text);
  let tail = "";
  for (let at = letters.length - 1; at >= 0 && displayWidth(letters[at]! + tail) <= room; at--)
    tail = letters[at]! + tail;
  return `${start}…${tail}`;
}
