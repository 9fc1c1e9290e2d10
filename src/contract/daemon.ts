/** The daemon about itself. */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import { TimeMs } from "./page.ts";

export const DaemonStatus = z.object({
  running: z.literal(true),
  pid: z.int(),
  version: z.string(),
  home: z.string(),
  socket: z.string(),
  url: z.string().nullable().describe("Loopback address, or null when it is switched off"),
  store: z.object({ state: z.enum(["ok", "unavailable"]), file: z.string(), reason: z.string().optional() }),
  agents: z.int().describe("Live agents"),
  sessions: z.int().describe("Open sessions"),
  incidents: z.int().describe("Unresolved incidents"),
  startedAt: TimeMs,
});
export type DaemonStatus = Readonly<z.infer<typeof DaemonStatus>>;

export const status = defineOperation({
  name: "daemon.status",
  summary: "Say what the daemon is, where it listens and how its store does",
  http: "GET /v1/status",
  actor: "anyone",
  input: z.strictObject({}),
  output: DaemonStatus,
  errors: [],
  example: {},
});

export const stop = defineOperation({
  name: "daemon.stop",
  summary: "Finish what is under way and stop the daemon",
  http: "POST /v1/shutdown",
  actor: "user",
  input: z.strictObject({}),
  output: z.object({ stopping: z.literal(true), pid: z.int() }),
  errors: ["caller.denied"],
  example: {},
});
