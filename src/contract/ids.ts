/**
 * Ids: a prefix that says what it names, then 22 characters that sort by time of creation.
 *
 *   rsv_01jd8q3m7k4x9t2v5b8n1c  — branded, so that an agent's id cannot be passed where a reservation's is wanted.
 */
import * as z from "zod";

const bodyPattern = "[0-9a-hjkmnp-tv-z]{22}";

function idSchema<Prefix extends string>(prefix: Prefix) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_${bodyPattern}$`), `expected an id that begins with "${prefix}_"`)
    .brand<Prefix>();
}

export const ProjectId = idSchema("prj");
export const AgentId = idSchema("agt");
export const ReservationId = idSchema("rsv");
export const WorkItemId = idSchema("wrk");
export const EventId = idSchema("evt");
export const SessionId = idSchema("ses");
export const RunId = idSchema("run");
export const NodeId = idSchema("nod");
export const PlanId = idSchema("pln");
export const ApprovalId = idSchema("apr");
export const FindingId = idSchema("fnd");
export const MessageId = idSchema("msg");
export const IncidentId = idSchema("inc");
export const DagId = idSchema("dag");
export const FileVersionId = idSchema("ver");
export const EntryId = idSchema("ent");
export const SourceId = idSchema("src");
/** A run and a DAG run are both graphs on the one host. */
export const GraphId = z.union([RunId, DagId]);

/** How callers name a work item: by its id, or by the one it brought along from another tracker (bd-a3f8.1). */
export const WorkItemKey = z
  .string()
  .max(120)
  .regex(
    new RegExp(`^(wrk_${bodyPattern}|[A-Za-z0-9][A-Za-z0-9_.]*(-[A-Za-z0-9_.]+)+)$`),
    'expected an id that begins with "wrk_", or one from an imported file such as bd-a3f8',
  );

export type ProjectId = z.infer<typeof ProjectId>;
export type AgentId = z.infer<typeof AgentId>;
export type ReservationId = z.infer<typeof ReservationId>;
export type WorkItemId = z.infer<typeof WorkItemId>;
export type EventId = z.infer<typeof EventId>;
export type SessionId = z.infer<typeof SessionId>;
export type RunId = z.infer<typeof RunId>;
export type NodeId = z.infer<typeof NodeId>;
export type PlanId = z.infer<typeof PlanId>;
export type ApprovalId = z.infer<typeof ApprovalId>;
export type FindingId = z.infer<typeof FindingId>;
export type MessageId = z.infer<typeof MessageId>;
export type IncidentId = z.infer<typeof IncidentId>;
export type DagId = z.infer<typeof DagId>;
export type FileVersionId = z.infer<typeof FileVersionId>;
export type EntryId = z.infer<typeof EntryId>;
export type SourceId = z.infer<typeof SourceId>;
export type GraphId = z.infer<typeof GraphId>;

/** What each prefix makes; an id source is a function of this map. */
export type IdsByPrefix = {
  prj: ProjectId;
  agt: AgentId;
  rsv: ReservationId;
  wrk: WorkItemId;
  evt: EventId;
  ses: SessionId;
  run: RunId;
  nod: NodeId;
  pln: PlanId;
  apr: ApprovalId;
  fnd: FindingId;
  msg: MessageId;
  inc: IncidentId;
  dag: DagId;
  ver: FileVersionId;
  ent: EntryId;
  src: SourceId;
};
export type IdPrefix = keyof IdsByPrefix;
