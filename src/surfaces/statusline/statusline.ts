/**
 * `sylk statusline`: a client's JSON on standard input -> one line. It never fails and never waits for long, because a
 * client shows an empty line otherwise; it starts no daemon.
 */
import { homePaths } from "../../platform/home/index.ts";
import { askDaemon } from "./ask-daemon.ts";
import { readClientInput } from "./client-input.ts";
import { readTree } from "./read-tree.ts";
import { renderLine } from "./render-line.ts";

type Terms = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: AsyncIterable<Buffer> & { readonly isTTY?: boolean };
};

const mostInput = 1 << 20;

export async function statusline({ env, cwd, stdin }: Terms): Promise<string> {
  try {
    const input = readClientInput(stdin.isTTY === true ? "" : await readAll(stdin));
    const folder = input.folder ?? cwd;
    const [tree, coordination] = await Promise.all([
      readTree(folder).catch(() => undefined),
      askDaemon(homePaths(env), folder, input.session).catch(() => "unknown"),
    ]);
    return renderLine({ input, tree, coordination });
  } catch {
    return "sylk";
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
