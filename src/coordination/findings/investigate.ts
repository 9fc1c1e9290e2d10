/**
 * Announcing what one looks into, so that two agents do not find the same thing twice.
 *
 *   topic, files -> others' announcements -> similar ones of live agents, each with what that agent has found since
 *
 * The rule is code: a file in common, or at least two words in common that make up half of all words of both topics.
 * An announcement lives as long as its agent and until its next one.
 */
import {
  finding as contract,
  type AgentCaller,
  type InputOf,
  type Investigation,
  type OutputOf,
} from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { plainText } from "../../platform/untrusted-text.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { checkedPath } from "./add-finding.ts";
import { viewBriefly } from "./finding-view.ts";
import type { FindingPorts, FindingRepositories, FindingTx } from "./ports.ts";

type Wanted = InputOf<"finding.investigate">;
type Similar = OutputOf<"finding.investigate">["similar"];

const mostFindings = 10;
const leastSharedWords = 2;
const leastOverlap = 0.5;
const emptyWords = new Set(
  "the and for are was why how what when where does not with from into that this has have".split(" "),
);

export function investigate(
  { topic, files, done }: Wanted,
  { caller, transact }: AgentCall<FindingRepositories>,
  ports: FindingPorts,
): Promise<OutputOf<"finding.investigate">> {
  const { agent, project } = caller;
  const paths = files.map((path, index) => checkedPath(path, `files.${index}`));
  return transact(project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    if (done) {
      await tx.findings.endInvestigation(agent.id);
      await tx.events.append(project.id, contract.InvestigationAnnounced.of(agent.id, { agent }));
      return { similar: [] };
    }
    const investigation: Investigation = {
      agent,
      topic: plainText(topic).replaceAll(/\s+/g, " "),
      files: paths,
      startedAt: ports.clock.now(),
    };
    const similar = await similarTo(investigation, caller, tx, ports);
    await tx.findings.setInvestigation({ ...investigation, project: project.id });
    await tx.events.append(project.id, contract.InvestigationAnnounced.of(agent.id, { agent, investigation }));
    return { investigation, similar };
  });
}

async function similarTo(
  mine: Investigation,
  { project }: AgentCaller,
  tx: FindingTx,
  { liveness }: FindingPorts,
): Promise<Similar> {
  const similar: Similar = [];
  for (const { project: _project, ...other } of await tx.findings.investigations(project.id)) {
    const record = await tx.agents.find(other.agent.id);
    const isLive = record !== undefined && ["active", "idle"].includes(liveness.statusOf(record));
    const shared = sharedBy(mine, other);
    if (other.agent.id === mine.agent.id || !isLive || shared === undefined) continue;
    const found = await tx.findings.reportedBy(other.agent.id, other.startedAt, mostFindings);
    similar.push({ ...other, shared, findings: found.map(viewBriefly) });
  }
  return similar;
}

/** The common part of two investigations, in words, or undefined. */
function sharedBy(
  one: Pick<Investigation, "topic" | "files">,
  other: Pick<Investigation, "topic" | "files">,
): string | undefined {
  const files = one.files.filter((path) => other.files.includes(path));
  if (files.length > 0) return `files: ${files.join(", ")}`;
  const [words, others] = [wordsOf(one.topic), wordsOf(other.topic)];
  const common = [...words].filter((word) => others.has(word));
  const all = new Set([...words, ...others]).size;
  const isSimilar = common.length >= leastSharedWords && common.length / all >= leastOverlap;
  return isSimilar ? `words: ${common.join(", ")}` : undefined;
}

function wordsOf(topic: string): ReadonlySet<string> {
  const words = topic.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [];
  return new Set(words.filter((word) => !emptyWords.has(word)));
}
