/** What the index needs from outside: git, a parser, patterns, a tokenizer, a watcher. */
import type { FileFacts, FoundPattern, ReadPattern, WantedPattern } from "./facts.ts";

/** Runs git in a tree and answers with what it prints; read-only commands alone. */
export type IndexGit = (tree: string, args: readonly string[]) => Promise<string>;

export type ParseRequest = {
  readonly tree: string;
  readonly path: string;
  /** The content that is wanted. */
  readonly hash: string;
  /** Whether git has it, where the file on the disk is another by now or is stored in another form. */
  readonly inGit: boolean;
};
/** `changed`: the file is another one by now. `unreadable`: it is not a file that can be read, and why. */
export type ParseReply =
  | { readonly state: "parsed"; readonly content: ParsedContent }
  | { readonly state: "left-out"; readonly reason: string }
  | { readonly state: "changed" }
  | { readonly state: "unreadable"; readonly reason: string };

export type ParsedContent = {
  readonly facts: FileFacts;
  readonly text: string;
  readonly bytes: number;
  readonly lines: number;
  /** Words by how much they tell: of symbols, of comments and documentation, of all the text. */
  readonly words: { readonly names: string; readonly docs: string; readonly body: string };
};

export type Parser = {
  /** How many files are parsed at once. */
  readonly width: number;
  parse(request: ParseRequest): Promise<ParseReply>;
  readPattern(pattern: string, language: string): Promise<ReadPattern>;
  /** In the file as it is now. */
  findPattern(wanted: WantedPattern, file: { readonly tree: string; readonly path: string }): Promise<FoundPattern>;
  /** Ends what is under way and gives its memory back; later calls start anew. */
  cancel(): Promise<void>;
};

export type IndexWatcher = {
  /** In place of the trees watched before. */
  watch(trees: readonly string[]): Promise<void>;
  stop(): void;
};
export type WatcherTold = {
  readonly onChange: (tree: string, path: string) => void;
  /** More than single files changed: folders came or went. */
  readonly onMore: (tree: string | undefined) => void;
};

export type Matcher = (pattern: string, field: string) => (path: string) => boolean;
export type MeasureTokens = (texts: readonly string[]) => Promise<readonly number[]>;

export type IndexLimits = {
  /** Largest file that is read, in bytes. */
  readonly maxFileBytes: number;
  /** Size of a repository's index on the disk. */
  readonly maxBytes: number;
  /** Days a tree is kept that was not asked about. */
  readonly keepDays: number;
  /** Free memory below which reading stops. */
  readonly minFreeBytes: number;
};
export const defaultLimits: IndexLimits = {
  maxFileBytes: 1_048_576,
  maxBytes: 500 * 1_048_576,
  keepDays: 30,
  minFreeBytes: 128 * 1_048_576,
};
