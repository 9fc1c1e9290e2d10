/**
 * The surface by which a test file reaches the product: what a user has in hand, or `code` where the test calls a part of
 * it by itself. Read from the test's own text, so that no list can differ from what is there.
 */
export const surfaces = ["cli", "http", "mcp", "hook", "page", "library", "worker", "tool", "code"] as const;
export type Surface = (typeof surfaces)[number];

/** In this order; the first ones are the nearest to a user. A file may use several. */
const marks: readonly (readonly [Surface, RegExp])[] = [
  ["page", /from "\.\/chromium\.ts"|dashboard\.link/],
  ["hook", /\bhookClient\(|tool\.execute\.before|sylk-hook|guardedHere\(|\bgated\(/],
  ["mcp", /\bStreamableHTTPClientTransport\b|\bStdioClientTransport\b|from "\.\.?\/(?:[\w.-]+\/)*mcp-/],
  ["cli", /\.sylk\(|\brunSylk\(|\bstartSylk\(|\brunSylkHere\(|\bsylk\(\[|sylk\.cjs/],
  ["http", /\bopenScratchDaemon\(|\bsend\(\{|\bcreateClient\(|\bfetchTransport\(/],
  ["library", /\bopenEngine\(|"sylk\/(client|contract|engine)"/],
  ["worker", /\bserveWorker\(|\brunWorker\(|workersUnder\(/],
];

/** Files whose helpers reach the product for them. */
const folders: readonly (readonly [start: string, Surface])[] = [
  ["test/crash/", "http"],
  ["test/races/", "http"],
  ["test/mcp/", "mcp"],
  ["test/docs/", "cli"],
  ["test/tooling/", "tool"],
  ["test/package/", "tool"],
  ["src/app/library/", "library"],
  ["src/app/simulation/", "library"],
];

export function surfacesOf(file: string, text: string): readonly Surface[] {
  const found = file.startsWith("src/") ? [] : marks.filter(([, mark]) => mark.test(text)).map(([surface]) => surface);
  if (found.length > 0) return found;
  return [folders.find(([start]) => file.startsWith(start))?.[1] ?? "code"];
}
