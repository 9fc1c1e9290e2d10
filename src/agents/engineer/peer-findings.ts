/**
 * Checkpoints: after each tool call an Engineer looks what its peers have found meanwhile.
 *
 *   tool call -> peers' open findings of this run, or of a file it has read or written -> new ones go to the model with
 *   the tool's result; a blocking one ends the work instead, where the policy says so
 *
 * Their words reach the model fenced: they are data, not instructions.
 */
import type { PublishedFinding, RunId } from "../../contract/index.ts";
import type { ModelTool } from "../../orchestration/models/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { untrusted } from "../../platform/untrusted-text.ts";

export type PeerPolicy = "tell" | "end";
type PeerFinding = Pick<PublishedFinding, "id" | "severity" | "summary" | "files" | "run" | "agent">;
type Terms = {
  readonly run: RunId;
  readonly policy: PeerPolicy;
  readonly clock: Clock;
  readonly fetch: () => Promise<readonly PeerFinding[]>;
  /** Told at most once; nothing more is run after it. */
  readonly onEnd: (reason: string) => void;
};

/** Often enough for work that takes minutes, and nothing for the daemon. */
const lookEveryMs = 1_000;

export function withCheckpoints(tools: readonly ModelTool[], terms: Terms): readonly ModelTool[] {
  const { clock, policy, fetch, onEnd } = terms;
  const touched = new Set<string>();
  const told = new Set<string>();
  let lookedAt = -Infinity;

  async function look(): Promise<readonly PeerFinding[] | { readonly unknown: string }> {
    if (clock.monotonic() - lookedAt < lookEveryMs) return [];
    lookedAt = clock.monotonic();
    try {
      const fresh = (await fetch()).filter((finding) => !told.has(finding.id) && concerns(finding));
      fresh.forEach(({ id }) => told.add(id));
      return fresh;
    } catch (error) {
      return { unknown: error instanceof Error ? error.message : String(error) };
    }
  }

  function concerns({ run, files }: PeerFinding): boolean {
    return run === terms.run || files.some(({ path }) => touched.has(path));
  }

  return tools.map((tool) => ({
    ...tool,
    async run(input, call) {
      const { path } = (input ?? {}) as { readonly path?: unknown };
      if (typeof path === "string") touched.add(path.replace(/^\.\//, ""));
      const output = await tool.run(input, call);
      if (tool.final === true) return output;
      const found = await look();
      if ("unknown" in found) return { result: output, peerFindings: `unknown: ${found.unknown}` };
      const blocking = found.find(({ severity }) => severity === "blocking");
      if (blocking !== undefined && policy === "end") onEnd(`ended early by a blocking finding: ${wordsOf(blocking)}`);
      return found.length === 0 ? output : { result: output, peerFindings: found.map(fenced) };
    },
  }));
}

function wordsOf({ id, severity, files, summary, agent }: PeerFinding): string {
  const places = files.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`)).join(", ");
  return `${severity} ${id} by ${agent.name}${places === "" ? "" : ` at ${places}`}: ${summary}`;
}

function fenced(finding: PeerFinding): string {
  return untrusted(wordsOf(finding), finding.agent.name);
}
