import { expect, it } from "vitest";
import { seatbeltProfile } from "./seatbelt.ts";

it("denies writes to a file, to a folder with its content, and the moving of what is above them", () => {
  const places = { readOnly: ['/t/src/a "b".ts', "/t/lib"], pinned: ["/t/src"] };
  expect(seatbeltProfile(places, (place) => place === "/t/lib")).toBe(
    String.raw`(version 1)(allow default)(deny file-write* (literal "/t/src/a \"b\".ts"))(deny file-write* (subpath "/t/lib"))(deny file-write-unlink (literal "/t/src"))`,
  );
});
