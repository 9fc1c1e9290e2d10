import { expect, it } from "vitest";
import { isOrdinary, joinsPrevious } from "./code-points.ts";

it("knows every code point that Unicode may merge with, or move before, the one in front of it", () => {
  const wrong: string[] = [];
  for (let codePoint = 0x80; codePoint <= 0x10ffff; codePoint++) {
    if (codePoint === 0xd800) codePoint = 0xe000;
    const letter = String.fromCodePoint(codePoint);
    const [, ...joined] = letter.normalize("NFD");
    if (joined.some((part) => !joinsPrevious(part.codePointAt(0) as number))) wrong.push(letter);
    // Marks of the highest and of the lowest class on either side: a letter that has a class itself would change places.
    const crowded = `q\u0345${letter}\u0334`;
    if (isOrdinary(codePoint) && crowded.normalize("NFC") !== crowded) wrong.push(letter);
  }
  expect(wrong).toEqual([]);
}, 20_000);
