/** The benches in the order they run. */
import type { Bench } from "../bench.ts";
import { claimsLatency } from "./claims-latency.ts";
import { claimsThroughput } from "./claims-throughput.ts";
import { cliStart } from "./cli-start.ts";
import { eventStream } from "./event-stream.ts";
import { hooks } from "./hooks.ts";
import { idle } from "./idle.ts";
import { mail } from "./mail.ts";
import { mcp } from "./mcp.ts";
import { ready } from "./ready.ts";
import { restart } from "./restart.ts";

export const benches: readonly Bench[] = [
  claimsThroughput,
  claimsLatency,
  eventStream,
  idle,
  cliStart,
  hooks,
  mcp,
  mail,
  ready,
  restart,
];
