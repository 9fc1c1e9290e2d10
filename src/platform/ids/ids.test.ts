import { expect, it } from "vitest";
import {
  AgentId,
  ApprovalId,
  DagId,
  EntryId,
  EventId,
  FileVersionId,
  FindingId,
  IncidentId,
  MessageId,
  NodeId,
  PlanId,
  ProjectId,
  ReservationId,
  RunId,
  SessionId,
  SourceId,
  WorkItemId,
  type IdPrefix,
} from "../../contract/index.ts";
import { manualClock } from "../clock/index.ts";
import { randomIds } from "./index.ts";

const schemas = {
  prj: ProjectId,
  agt: AgentId,
  rsv: ReservationId,
  wrk: WorkItemId,
  evt: EventId,
  ses: SessionId,
  run: RunId,
  nod: NodeId,
  pln: PlanId,
  apr: ApprovalId,
  fnd: FindingId,
  msg: MessageId,
  inc: IncidentId,
  dag: DagId,
  ver: FileVersionId,
  ent: EntryId,
  src: SourceId,
} satisfies Record<IdPrefix, unknown>;

it.each(Object.keys(schemas) as IdPrefix[])("makes %s ids that their schema accepts", (prefix) => {
  const ids = randomIds(manualClock());
  expect(schemas[prefix].safeParse(ids.next(prefix)).success).toBe(true);
});

it("makes ids that sort by the time of their creation", () => {
  const clock = manualClock();
  const ids = randomIds(clock);
  const made = [1, 1, 30, 31, 32, 33, 1_000, 86_400_000, 40 * 365 * 86_400_000].map((ms) => {
    clock.advance(ms);
    return ids.next("wrk");
  });
  expect(made.toSorted()).toEqual(made);
});

it("keeps that order within one millisecond and when the wall clock goes back", () => {
  const clock = manualClock();
  const ids = randomIds(clock);
  const made = Array.from({ length: 3_000 }, (_, index) => {
    if (index === 1_000) clock.jumpWall(-3_600_000);
    if (index === 2_000) clock.advance(7_200_000);
    return ids.next("wrk");
  });
  expect(made.toSorted()).toEqual(made);
});

it("shares no chance between two processes that start in the same millisecond", () => {
  const clock = manualClock();
  const made = Array.from({ length: 1_000 }, () => randomIds(clock).next("evt"));
  expect(new Set(made).size).toBe(made.length);
});

it("makes no id twice, also within one millisecond and beyond one pool of chance", () => {
  const ids = randomIds(manualClock());
  const made = Array.from({ length: 5_000 }, () => ids.next("evt"));
  expect(new Set(made).size).toBe(made.length);
});
