/** The port of merging to git; `adapters/git` implements it. */

export type MergePlace = {
  /** As it was named. */
  readonly branch: string;
  readonly source: string;
  readonly into: string;
  /** Where the target stood when it was looked at. */
  readonly head: string;
  /** The working tree that has the target checked out; undefined where none has. */
  readonly tree: string | undefined;
  /** Any tree of the repository, to work from. */
  readonly at: string;
};
/** The last author of the path on each side. */
export type Torn = { readonly path: string; readonly ours: string; readonly theirs: string };
export type MergeOutcome =
  | { readonly state: "merged"; readonly commit: string; readonly paths: readonly string[] }
  | { readonly state: "up-to-date"; readonly commit: string }
  | { readonly state: "conflict"; readonly paths: readonly Torn[] };

export type MergeWanted = {
  readonly branch?: string | undefined;
  readonly into?: string | undefined;
  /** Exactly this commit of the branch, which may have moved on. */
  readonly commit?: string | undefined;
};
export type MergeTerms = {
  readonly message: string;
  readonly forward: boolean;
  /** Told the paths that would change, before anything moves; throws to stop it. */
  readonly check: (paths: readonly string[]) => Promise<void>;
};

export type Merger = {
  /** `branch` undefined: the upstream of the target. */
  locate(tree: string, wanted: MergeWanted): Promise<MergePlace>;
  isMerged(place: MergePlace): Promise<boolean>;
  /** A conflict, a refusal of `check`, and files that others have changed leave tree, index and branch as they were. */
  merge(place: MergePlace, terms: MergeTerms): Promise<MergeOutcome>;
};
