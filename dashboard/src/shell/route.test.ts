import fc from "fast-check";
import { expect, it } from "vitest";
import { dashboardPages } from "../../../src/contract/dashboard-pages.ts";
import { addressOf, readRoute } from "./route.ts";

const read = (address: string) => readRoute(new URL(address, "http://localhost"));

it("reads what it writes, whatever the id, the project and the terms [DASH-14]", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 });
  const terms = fc.dictionary(
    text.filter((key) => key !== "project" && key !== "__proto__"),
    text,
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...dashboardPages),
      fc.option(text),
      fc.option(text),
      terms,
      (page, id, project, terms) => {
        const route = { page, id: id ?? undefined, project: project ?? undefined, terms: { ...terms } };
        if (page === "now") route.id = undefined;
        expect(read(addressOf(route))).toEqual(route);
      },
    ),
  );
});

it.each([".", "..", "~.", "~~..", "...", "%2e", "~"])(
  "keeps the id %s, which a browser could take for a folder",
  (id) => {
    expect(read(addressOf({ page: "files", id }))).toMatchObject({ page: "files", id });
  },
);

it("takes / for Now, and says of any other address that it is no page", () => {
  expect(read("/")).toMatchObject({ page: "now" });
  expect(read("/nowhere/x").page).toBeUndefined();
  expect(read("/runs/%E0%A4%A").id).toBe("%E0%A4%A");
});
