import { expect, it } from "vitest";
import type { WireRequest, WireResponse } from "../transport/index.ts";
import { createPageClient } from "./page-client.ts";

const id = "apr_01jd8q3m7k4x9t2v5b8n1c";

function clientThatHears(answer: Partial<WireResponse> = {}) {
  const heard: WireRequest[] = [];
  const client = createPageClient({
    transport: async (request) => {
      heard.push(request);
      return { status: 200, body: "{}", ...answer };
    },
    csrf: () => "secret-of-the-page",
    newKey: () => "key-1",
  });
  return { client, heard };
}

it("sends a read without the page's secret, for all projects or for one", async () => {
  const { client, heard } = clientThatHears();
  await client.call("agent.list", { limit: 5 });
  await client.call("agent.list", {}, { project: "/home/ada/höhle" });
  expect(heard).toEqual([
    { method: "GET", path: "/v1/agents?limit=5", headers: { accept: "application/json" } },
    {
      method: "GET",
      path: "/v1/agents",
      headers: { accept: "application/json", "sylk-project": "%2Fhome%2Fada%2Fh%C3%B6hle" },
    },
  ]);
});

it("sends a change with the page's secret and a key, its id in the path", async () => {
  const { client, heard } = clientThatHears();
  await client.call("approval.decide", { id, decision: "approve" });
  expect(heard[0]).toMatchObject({
    method: "POST",
    path: `/v1/approvals/${id}/decide`,
    body: '{"decision":"approve"}',
    headers: { "sylk-csrf": "secret-of-the-page", "idempotency-key": "key-1" },
  });
});

it("throws the daemon's refusal with its code, and says of other text that it is not the daemon's", async () => {
  const refusal = { error: { code: "approval.decided", message: "It was decided before", details: {} } };
  const { client } = clientThatHears({ status: 409, body: JSON.stringify(refusal) });
  await expect(client.call("approval.decide", { id, decision: "reject" })).rejects.toMatchObject({
    code: "approval.decided",
    message: "It was decided before",
  });
  const { client: lost } = clientThatHears({ status: 502, body: "<html>" });
  await expect(lost.call("agent.list", {})).rejects.toMatchObject({ code: "daemon.unreachable" });
});
