import { expect, it } from "vitest";
import { DomainError, type AgentRef, type Caller } from "../../contract/index.ts";
import { greet } from "./greet.ts";
import { scratchHealth, shop } from "./testkit.ts";
import { whyNotEnforced } from "./why-not-enforced.ts";

const heron = { id: "agt_01jd8q3m7k4x9t2v5b8n1c", name: "heron", client: "claude-code" } as AgentRef;
const otter = { ...heron, id: "agt_11jd8q3m7k4x9t2v5b8n1c", name: "otter" } as AgentRef;
const caller: Caller = {
  kind: "agent",
  agent: heron,
  project: { id: shop, name: "shop", path: "/shop/.git" },
  tree: "/shop",
};
const agentsNow = async () => [heron, otter].map((agent) => ({ agent, lastSeenAt: 0 }));

it("names the others to a session that starts, without itself", async () => {
  using world = scratchHealth();
  const greeting = await greet(caller, { ...world, agentsNow, whyNotEnforced: async () => undefined });
  expect(greeting).toMatchObject({ others: ["otter"], enforced: true, incidents: 0 });
  expect(greeting.line).toContain("otter");
});

it("says that the others are unknown where they cannot be read, and is no error", async () => {
  using world = scratchHealth();
  const unreadable = () => Promise.reject(new Error("disk"));
  const greeting = await greet(caller, {
    ...world,
    agentsNow: unreadable,
    whyNotEnforced: async () => "The disk is full",
  });
  expect(greeting).toMatchObject({ others: null, enforced: false });
  expect(greeting.line).toContain("The disk is full");
});

it("takes the store's refusal for the reason, and passes a defect on", async () => {
  const refused = new DomainError("store.unavailable", "The disk is full");
  expect(await whyNotEnforced({ probe: async () => {} })).toBeUndefined();
  expect(await whyNotEnforced({ probe: () => Promise.reject(refused) })).toBe("The disk is full");
  await expect(whyNotEnforced({ probe: () => Promise.reject(new TypeError("planted")) })).rejects.toThrow("planted");
});
