/** The benches in the order they run. */
import type { Bench } from "../bench.ts";
import { archive } from "./archive.ts";
import { bus } from "./bus.ts";
import { claimsFleet } from "./claims-fleet.ts";
import { claimsLatency } from "./claims-latency.ts";
import { claimsThroughput } from "./claims-throughput.ts";
import { cliStart } from "./cli-start.ts";
import { codeIndex } from "./code-index.ts";
import { codeSessions } from "./code-sessions.ts";
import { commit } from "./commit.ts";
import { dag } from "./dag.ts";
import { dagDurable } from "./dag-durable.ts";
import { dashboard } from "./dashboard.ts";
import { enforcedStart } from "./enforced-start.ts";
import { eventStream } from "./event-stream.ts";
import { fileHistory } from "./file-history.ts";
import { flood } from "./flood.ts";
import { guide } from "./guide.ts";
import { hooks } from "./hooks.ts";
import { idle } from "./idle.ts";
import { indexPeers } from "./index-peers.ts";
import { ledger } from "./ledger.ts";
import { mail } from "./mail.ts";
import { mcp } from "./mcp.ts";
import { packed } from "./package.ts";
import { peers } from "./peers.ts";
import { pool } from "./pool.ts";
import { ready } from "./ready.ts";
import { conflicts } from "./reservations.ts";
import { researchIngest } from "./research-ingest.ts";
import { restart } from "./restart.ts";
import { retrieval } from "./retrieval.ts";
import { skills } from "./skills.ts";
import { sessions } from "./sessions.ts";
import { soak } from "./soak.ts";
import { statusline } from "./statusline.ts";
import { syntax } from "./syntax.ts";
import { tools } from "./tools.ts";
import { watch } from "./watch.ts";

export const benches: readonly Bench[] = [
  claimsThroughput,
  claimsLatency,
  claimsFleet,
  eventStream,
  flood,
  bus,
  dag,
  skills,
  pool,
  sessions,
  guide,
  dagDurable,
  idle,
  cliStart,
  hooks,
  fileHistory,
  watch,
  dashboard,
  enforcedStart,
  commit,
  codeIndex,
  codeSessions,
  indexPeers,
  retrieval,
  tools,
  statusline,
  mcp,
  mail,
  researchIngest,
  ledger,
  archive,
  ready,
  conflicts,
  soak,
  peers,
  restart,
  syntax,
  packed,
];
