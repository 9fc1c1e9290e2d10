/** A git server on loopback: `git http-backend` behind Node's own HTTP server, with what each request brought. */
import { execFileSync, spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export type GitServer = AsyncDisposable & {
  readonly host: string;
  /** Headers of each request. */
  readonly seen: readonly { readonly url: string; readonly authorization: string | undefined }[];
};

/** Repositories are the folders below `root`. `isStuck` ones never answer; `token` must be brought where it is set. */
export async function openGitServer(
  root: string,
  { token, isStuck = () => false }: { token?: string; isStuck?: (url: string) => boolean } = {},
): Promise<GitServer> {
  const backend = join(execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim(), "git-http-backend");
  const seen: { url: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    seen.push({ url, authorization: headers.authorization });
    if (isStuck(url)) return;
    const given = Buffer.from(headers.authorization?.replace(/^Basic /, "") ?? "", "base64").toString();
    if (token !== undefined && given !== `x-access-token:${token}`) {
      response.writeHead(401, { "www-authenticate": "Basic" }).end();
      return;
    }
    answer(request, response, { backend, root });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** CGI: variables in, headers and body out. */
function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { backend, root }: { backend: string; root: string },
): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  const child = spawn(backend, {
    env: {
      PATH: process.env.PATH ?? "",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? "GET",
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
  });
  request.pipe(child.stdin);
  child.stdin.on("error", () => {});
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.on("close", () => {
    const all = Buffer.concat(chunks);
    const end = all.indexOf("\r\n\r\n");
    const headers = all.subarray(0, end).toString().split("\r\n");
    const fields = headers.map((line) => line.split(": ", 2) as [string, string]);
    const status = Number(fields.find(([name]) => name === "Status")?.[1]?.slice(0, 3) ?? 200);
    response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== "Status")));
    response.end(all.subarray(end + 4));
  });
}
