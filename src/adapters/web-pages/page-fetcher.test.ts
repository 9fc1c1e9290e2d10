import type { LookupAddress } from "node:dns";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import { createPageFetcher } from "./page-fetcher.ts";

/** DNS that says something else each time. */
function saying(...answers: readonly (readonly string[])[]) {
  let asked = 0;
  return {
    asked: () => asked,
    lookup: (_name: string, _options: unknown, done: (error: Error | null, found: LookupAddress[]) => void) => {
      const addresses = answers[Math.min(asked++, answers.length - 1)]!;
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    },
  };
}
const signal = new AbortController().signal;

async function privateServer() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "content-type": "text/plain" }).end("secret");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    seen,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

it.each([
  ["a private address behind a public one", [["93.184.216.34", "127.0.0.1"]], 0],
  ["a private address at the second question", [["93.184.216.34"], ["127.0.0.1"]], 1],
  ["a private address of IPv6 in the form of IPv4", [["::ffff:127.0.0.1"]], 0],
])("a name that DNS leads to %s is never connected to", async (_what, answers, before) => {
  await using server = await privateServer();
  const { lookup } = saying(...answers);
  const terms = { maxBytes: 1_000, timeoutMs: 1_000, clock: manualClock(), lookup } as const;
  const fetchPage = createPageFetcher({ ...terms, allowHosts: `localhost:${server.port}` });
  const address = `http://localhost:${server.port}/secret`;
  for (let time = 0; time < before; time++) expect(await fetchPage.resolve(address, signal)).toBe("93.184.216.34");
  await expect(fetchPage.get(address, signal)).rejects.toMatchObject({
    code: "caller.denied",
    message: expect.stringContaining("not a public address"),
  });
  expect(server.seen).toEqual([]);
});

it("DNS is asked once for each connection: the address that was checked is the one that is connected to", async () => {
  await using server = await privateServer();
  const { lookup, asked } = saying(["127.0.0.1"], ["10.0.0.1"]);
  const terms = { maxBytes: 1_000, timeoutMs: 1_000, clock: manualClock(), lookup } as const;
  const fetchPage = createPageFetcher({ ...terms, allowHosts: `127.0.0.1:${server.port}` });
  const page = await fetchPage.get(`http://127.0.0.1:${server.port}/x`, signal);
  expect([Buffer.from(page.bytes).toString(), asked(), server.seen]).toEqual(["secret", 0, ["GET /x"]]);
});
