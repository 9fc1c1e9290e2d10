import { expect, it } from "vitest";
import { allOperations } from "../../contract/index.ts";
import { untrusted } from "../../platform/untrusted-text.ts";
import { fenceUntrusted } from "./fence-untrusted.ts";

const otter = { id: "agt_1", name: "otter", client: "other" };

it("fences the named fields, as words of the nearest writer, and leaves everything else as it is [MAIL-5]", () => {
  const answer = {
    items: [
      { id: "msg_1", from: otter, subject: "Hi", body: "", sentAt: 1, to: [{ name: "heron" }] },
      { id: "fnd_1", agent: { name: "lynx" }, summary: "Broken", mark: { by: otter, why: "seen" }, reports: [] },
    ],
    more: false,
  };
  expect(fenceUntrusted(answer, ["subject", "body", "summary", "why"])).toEqual({
    items: [
      { ...answer.items[0], subject: untrusted("Hi", "otter") },
      {
        ...answer.items[1],
        summary: untrusted("Broken", "lynx"),
        mark: { by: otter, why: untrusted("seen", "otter") },
      },
    ],
    more: false,
  });
});

it("is asked for by every operation that answers with mail or findings of others [MAIL-5]", () => {
  const own = new Set(["mail.send", "mail.ack", "mail.subscribe", "mail.policy"]); // words of the caller, or none
  const others = allOperations().filter(({ name }) => /^(mail|finding)\./.test(name) && !own.has(name));
  expect(others.length).toBeGreaterThan(8);
  for (const { name, mcp } of others) expect(mcp?.untrusted?.length, name).toBeGreaterThan(0);
});
