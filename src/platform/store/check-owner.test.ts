import { join } from "node:path";
import { expect, it } from "vitest";
import { DomainError } from "../../contract/errors.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { migratedFile, scratchFolder } from "./testkit.ts";

it("acknowledges nothing once another process may write: not before a change, and not after its commit", async () => {
  using folder = scratchFolder();
  let lost = false;
  const store = openSqliteStore({
    ...migratedFile(join(folder.path, "sylk.db")),
    repositories: {},
    checkOwner() {
      if (lost) throw new DomainError("store.unavailable", "The home is lost");
    },
  });
  expect(await store.transact("scope", async () => "kept")).toBe("kept");
  const effects: string[] = [];
  const during = store.transact("scope", async (tx) => {
    tx.afterCommit(() => effects.push("of a change that was committed"));
    lost = true; // between the look before and the commit
  });
  await expect(during).rejects.toMatchObject({ code: "store.unavailable", message: "The home is lost" });
  expect(effects).toHaveLength(1);
  await expect(store.transact("scope", async () => "late")).rejects.toMatchObject({ code: "store.unavailable" });
  await expect(store.probe()).rejects.toMatchObject({ code: "store.unavailable" });
  lost = false;
  expect(await store.transact("scope", async () => "back")).toBe("back");
  store.close();
});
