import { expect, it } from "vitest";
import { DomainError, type ReservationId } from "../../contract/index.ts";
import { holdPatiently } from "./reservations.ts";

it("renews what it holds, and tells the model once that another agent had it; then it is reserved again [RSV-9]", async () => {
  const asked: string[] = [];
  const lost = new Set<string>();
  const hold = holdPatiently({
    peerFindings: async () => [],
    async acquire(path) {
      asked.push(`acquire ${path}`);
      return `rsv_${asked.length}` as ReservationId;
    },
    async renew(id) {
      asked.push(`renew ${id}`);
      if (lost.has(id)) throw new DomainError("lease.lost", `${id} has ended; otter has it now`, { details: {} });
    },
  });
  const { signal } = new AbortController();
  await hold("src/a.ts", signal);
  await hold("src/a.ts", signal);
  lost.add("rsv_1");
  await expect(hold("src/a.ts", signal)).rejects.toMatchObject({
    code: "lease.lost",
    message: expect.stringContaining("Read it again") as string,
  });
  await hold("src/a.ts", signal);
  await hold("src/a.ts", signal);
  expect(asked).toEqual(["acquire src/a.ts", "renew rsv_1", "renew rsv_1", "acquire src/a.ts", "renew rsv_4"]);
});
