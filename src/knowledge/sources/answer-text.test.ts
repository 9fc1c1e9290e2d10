import { expect, it } from "vitest";
import { claimLines } from "./answer-text.ts";

it("shows the sentence around a quotation only where it says more, also of a sentence that quotes", () => {
  const sentence = 'It lets the package "carry" binary data.';
  expect(claimLines({ kind: "quoted", text: `“${sentence}”`, citation: 1, evidence: sentence })).toEqual([
    `quoted: “${sentence}” [1]`,
  ]);
  expect(claimLines({ kind: "quoted", text: "“carry”", citation: 1, evidence: sentence })).toEqual([
    "quoted: “carry” [1]",
    `  in: ${sentence}`,
  ]);
});
