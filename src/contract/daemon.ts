/** The daemon about itself. */
import * as z from "zod";
import { defineOperation } from "./define.ts";
import { TimeMs } from "./page.ts";

/** One thing that does not work now: what it is, what it means, and the way out. */
const Trouble = z.object({
  part: z.enum(["home", "store", "log", "notifier"]),
  what: z.string(),
  fix: z.string(),
});

export const DaemonStatus = z.object({
  running: z.literal(true),
  pid: z.int(),
  version: z.string(),
  protocol: z.int().describe("Increases when older commands no longer understand the daemon"),
  home: z.string(),
  socket: z.string(),
  url: z.string().nullable().describe("Loopback address, or null when it is switched off"),
  store: z.object({ state: z.enum(["ok", "unavailable"]), file: z.string(), reason: z.string().optional() }),
  agents: z.int().describe("Live agents"),
  sessions: z.int().describe("Open sessions"),
  pool: z
    .object({ limit: z.int(), running: z.int(), waiting: z.int() })
    .optional()
    .describe("Engineers at work and waiting for a slot; session.stats has more"),
  incidents: z.int().describe("Unresolved incidents"),
  unresolved: z.array(z.string()).optional().describe("The incidents in a few words"),
  startedAt: TimeMs,
  troubles: z.array(Trouble).describe("Current problems and their remedies; empty when all is well"),
});
export type DaemonStatus = Readonly<z.infer<typeof DaemonStatus>>;

export const status = defineOperation({
  name: "daemon.status",
  summary: "Show the daemon's version, address and store health",
  http: "GET /v1/status",
  actor: "anyone",
  input: z.strictObject({}),
  output: DaemonStatus,
  errors: [],
  example: {},
});

export const Examination = z.object({
  healthy: z.boolean().describe("No finding is a problem"),
  findings: z.array(
    z.object({
      check: z.string(),
      state: z.enum(["ok", "warning", "problem"]),
      what: z.string(),
      fix: z.string().optional().describe("What to type"),
    }),
  ),
});
export type Examination = Readonly<z.infer<typeof Examination>>;

export const examine = defineOperation({
  name: "daemon.examine",
  summary: "Check the installation and say how to fix each problem",
  http: "GET /v1/doctor",
  actor: "user",
  input: z.strictObject({}),
  output: Examination,
  errors: ["caller.denied"],
  example: {},
});

export const stop = defineOperation({
  name: "daemon.stop",
  summary: "Stop the daemon after it finishes the requests in progress",
  http: "POST /v1/shutdown",
  actor: "user",
  input: z.strictObject({
    pid: z.int().positive().optional().describe("Only stop the daemon with this process id, never a successor"),
  }),
  output: z.object({ stopping: z.boolean().describe("False when the daemon is another process"), pid: z.int() }),
  errors: ["caller.denied"],
  example: {},
});
