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

export type Merger = {
  /** `branch` undefined: the upstream of the target. */
  locate(
    tree: string,
    wanted: { readonly branch?: string | undefined; readonly into?: string | undefined },
  ): Promise<MergePlace>;
  /** A conflict, and files that others have changed, leave tree, index and branch as they were. */
  merge(place: MergePlace, terms: { readonly message: string; readonly forward: boolean }): Promise<MergeOutcome>;
};
