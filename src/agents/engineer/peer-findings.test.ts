import { expect, it } from "vitest";
import * as z from "zod";
import type { AgentRef, FindingId, RunId } from "../../contract/index.ts";
import type { ModelTool } from "../../orchestration/models/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { withCheckpoints, type PeerPolicy } from "./peer-findings.ts";

const run = "run_01jd8q3m7k4x9t2v5b8n1c" as RunId;
const otter = { id: "agt_01jd8q3m7k4x9t2v5b8n1c", name: "otter", client: "codex" } as AgentRef;
const finding = {
  id: "fnd_01jd8q3m7k4x9t2v5b8n1c" as FindingId,
  severity: "blocking" as const,
  summary: "parse() drops the last order",
  files: [{ path: "src/orders.ts", line: 42 }],
  run: undefined,
  agent: otter,
};

function checkpoints(policy: PeerPolicy, findings: readonly (typeof finding)[]) {
  const clock = manualClock();
  const ended: string[] = [];
  let failing = false;
  const plain: ModelTool = { name: "read_file", description: "", input: z.any(), run: async () => "content" };
  const [tool] = withCheckpoints([plain], {
    run,
    policy,
    clock,
    fetch: async () => (failing ? Promise.reject(new Error("the disk is full")) : findings),
    onEnd: (reason) => void ended.push(reason),
  });
  const call = { id: "1", signal: new AbortController().signal };
  return {
    ended,
    fail: () => void (failing = true),
    use(path: string) {
      clock.advance(1_000);
      return tool!.run({ path }, call);
    },
  };
}

it("tells the model once, fenced, what a peer found in a file it works on [FIND-3]", async () => {
  const { use, ended } = checkpoints("tell", [finding]);
  expect(await use("src/other.ts")).toBe("content");
  expect(await use("./src/orders.ts")).toEqual({
    result: "content",
    peerFindings: [expect.stringMatching(/untrusted input from otter.*parse\(\) drops the last order/s)],
  });
  expect(await use("src/orders.ts")).toBe("content");
  expect(ended).toEqual([]);
});

it("ends the work for a blocking finding where the policy says so, and not for another [FIND-3]", async () => {
  const { use, ended } = checkpoints("end", [finding]);
  await use("src/orders.ts");
  expect(ended).toEqual([expect.stringContaining("src/orders.ts:42: parse() drops the last order")]);
  const harmless = checkpoints("end", [{ ...finding, severity: "important" as never }]);
  await harmless.use("src/orders.ts");
  expect(harmless.ended).toEqual([]);
});

it("says that it does not know what peers found where no daemon could be asked [FIND-3, HLTH-9]", async () => {
  const { use, fail } = checkpoints("end", [finding]);
  fail();
  expect(await use("src/orders.ts")).toEqual({ result: "content", peerFindings: "unknown: the disk is full" });
});
