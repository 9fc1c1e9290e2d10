/**
 * `sylk statusline`: a client's JSON on standard input -> one line. The daemon draws it; where there is none, what can be
 * known without it is shown. It never fails and never waits for long, because a client shows an empty line otherwise; it
 * starts no daemon.
 */
import { type HomePaths, homePaths } from "../../platform/home/index.ts";
import { exchange, ExchangeFailed } from "../transport/index.ts";

type Terms = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: AsyncIterable<Buffer> & { readonly isTTY?: boolean };
};

const mostInput = 1 << 20;
const withinMs = 600;

export async function statusline({ env, cwd, stdin }: Terms): Promise<string> {
  try {
    const text = stdin.isTTY === true ? "" : await readAll(stdin);
    const paths = homePaths(env);
    const answer = await askDaemon(paths, text, cwd);
    if ("line" in answer) return answer.line;
    const { lineWithoutDaemon } = await import("./line-without-daemon.ts");
    return await lineWithoutDaemon(text, { cwd, why: answer.why, paths });
  } catch {
    return "sylk";
  }
}

async function askDaemon(
  { socket }: HomePaths,
  body: string,
  cwd: string,
): Promise<{ readonly line: string } | { readonly why: string }> {
  const headers = { "content-type": "application/octet-stream", "sylk-project": encodeURIComponent(cwd) };
  try {
    const request = { method: "POST", path: "/v1/statusline", headers, body };
    const { status, body: line } = await exchange(socket, request, withinMs);
    return status === 200 && line !== "" ? { line } : { why: `daemon answered ${status}` };
  } catch (error) {
    const isSilent = error instanceof ExchangeFailed && error.isSilent;
    return { why: isSilent ? "daemon is silent, nothing guarded" : "no daemon, nothing guarded" };
  }
}

async function readAll(stdin: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    size += chunk.length;
    if (size > mostInput) return "";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
