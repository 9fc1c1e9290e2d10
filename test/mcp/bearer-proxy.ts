/**
 * A way in for tools that cannot send a token: adds it, and leaves everything else as it is. A Host or Origin that names
 * the proxy names the daemon behind it; foreign ones stay foreign, because refusing them is part of what is tested.
 */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export type BearerProxy = AsyncDisposable & { readonly url: string };

export async function openBearerProxy(target: { readonly port: number; readonly token: string }): Promise<BearerProxy> {
  const server = createServer((incoming, outgoing) => {
    const ownPort = (server.address() as AddressInfo).port;
    const translated = (text: string | undefined): string | undefined =>
      text?.replace(new RegExp(`^((?:http://)?(?:127\\.0\\.0\\.1|localhost)):${ownPort}$`), `$1:${target.port}`);
    const { host, origin, ...others } = incoming.headers;
    const headers = {
      ...others,
      host: translated(host),
      ...(origin === undefined ? {} : { origin: translated(origin) }),
      authorization: `Bearer ${target.token}`,
    };
    const { url: path, method } = incoming;
    const forwarded = request({ host: "127.0.0.1", port: target.port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
