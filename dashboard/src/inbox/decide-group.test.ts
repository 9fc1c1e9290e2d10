import { expect, it } from "vitest";
import { DomainError, type InboxItem } from "../daemon/contract.ts";
import { decideGroup } from "./decide-group.ts";

const items = ["apr_1", "apr_2", "apr_3"].map((id) => ({ id }) as InboxItem);

it("takes requests that the first decision settled too for done, and decides the rest", async () => {
  const decided: string[] = [];
  await decideGroup(items, async ({ id }) => {
    if (id === "apr_2") throw new DomainError("approval.decided", "It was decided before");
    decided.push(id);
  });
  expect(decided).toEqual(["apr_1", "apr_3"]);
});

it("says what refused the first one, and any other refusal", async () => {
  const refusing = (refused: string, code: "approval.decided" | "caller.denied") =>
    decideGroup(items, async ({ id }) => {
      if (id === refused) throw new DomainError(code, `refused ${id}`);
    });
  await expect(refusing("apr_1", "approval.decided")).rejects.toThrow("refused apr_1");
  await expect(refusing("apr_2", "caller.denied")).rejects.toThrow("refused apr_2");
});
