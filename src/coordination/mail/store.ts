/** The tables of mail, as a port: messages, their receivers, and each agent's mailbox. */
import type {
  AgentId,
  AgentRef,
  ContactPolicy,
  FindingId,
  Importance,
  Mail,
  MailChannel,
  MailKind,
  MessageId,
  Project,
  ProjectId,
} from "../../contract/index.ts";

/** An agent with the project it belongs to; a draft may leave that out where it is the message's own. */
export type Party = AgentRef & { readonly home?: Pick<Project, "id" | "name"> };

export type MessageRecord = Omit<Mail, "truncated" | "from" | "to" | "everyone"> & {
  readonly project: ProjectId;
  readonly audience: "agents" | "topic" | "everyone";
  readonly from: Party;
  readonly to: readonly Party[];
};
/** A message with its place in the order of delivery. */
export type SentMessage = MessageRecord & { readonly sequence: number };

export type Mailbox = {
  readonly policy: ContactPolicy;
  readonly cursors: Readonly<Record<MailChannel, number>>;
};
export type Receiver = {
  readonly agent: AgentRef;
  readonly ackDueAt: number | undefined;
  readonly ackedAt: number | undefined;
};
export type OverdueReceiver = {
  readonly id: MessageId;
  readonly subject: string;
  readonly importance: Importance;
  readonly from: Party;
  readonly waitingFor: Party;
  readonly ackDueAt: number;
};
/** The reader: an agent sees what it sent or received and what all may read; the user sees everything. */
export type MailViewer = { readonly project: ProjectId | undefined; readonly agent: AgentId | undefined };

export type MailRepository = {
  insert(record: MessageRecord): Promise<number>;
  find(id: MessageId): Promise<SentMessage | undefined>;
  mailbox(agent: AgentId): Promise<Mailbox>;
  setPolicy(agent: AgentId, policy: ContactPolicy): Promise<void>;
  setCursor(agent: AgentId, channel: MailChannel, cursor: number): Promise<void>;
  /** What an agent receives after its cursor, in order. */
  unread(query: {
    readonly agent: AgentId;
    readonly project: ProjectId;
    readonly channel: MailChannel;
    readonly kind: MailKind | undefined;
    readonly limit: number;
  }): Promise<readonly SentMessage[]>;
  /** How much is unread, counted up to a limit; and how many urgent findings are among it. */
  countUnread(query: { readonly agent: AgentId; readonly project: ProjectId; readonly most: number }): Promise<{
    readonly requests: number;
    readonly notices: number;
    readonly urgentFindings: number;
  }>;
  newestSequence(): Promise<number>;
  receivers(sequence: number): Promise<readonly Receiver[]>;
  setAcked(sequence: number, agent: AgentId, at: number): Promise<void>;
  overdue(viewer: MailViewer, now: number, limit: number): Promise<readonly OverdueReceiver[]>;
  topics(agent: AgentId): Promise<readonly string[]>;
  subscribe(agent: AgentId, topic: string): Promise<void>;
  unsubscribe(agent: AgentId, topic: string): Promise<void>;
  contacts(agent: AgentId): Promise<readonly AgentRef[]>;
  addContact(agent: AgentId, contact: AgentId): Promise<void>;
  removeContact(agent: AgentId, contact: AgentId): Promise<void>;
  /** Whether an agent has had a notice of this finding. */
  wasToldOf(agent: AgentId, finding: FindingId): Promise<boolean>;
  hasWritten(from: AgentId, to: AgentId): Promise<boolean>;
  /** Agents that wrote or received something in a thread. */
  participants(thread: MessageId): Promise<readonly AgentId[]>;
  search(query: {
    readonly viewer: MailViewer;
    readonly words: readonly string[];
    readonly thread: MessageId | undefined;
    readonly topic: string | undefined;
    readonly before: number | undefined;
    readonly limit: number;
  }): Promise<readonly SentMessage[]>;
  /** What agents that are long gone had arranged: contacts and subscriptions. */
  forgetArrangements(agents: readonly AgentId[]): Promise<void>;
  /** Removes messages sent before `before`; important ones that wait for a receiver only before `importantBefore`. */
  removeOld(limits: {
    readonly before: number;
    readonly importantBefore: number;
    readonly most: number;
  }): Promise<number>;
  removeProject(project: ProjectId): Promise<number>;
  senders(): Promise<readonly AgentId[]>;
  /** All that is kept, in the order of delivery. */
  kept(query: {
    readonly project: ProjectId | undefined;
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly SentMessage[]>;
  tally(project: ProjectId): Promise<{ readonly bytes: number }>;
};
