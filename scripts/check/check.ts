/** One rule of the house: looks at a tree and names every violation. */
export type Check = {
  name: string;
  /** Resolves to what is wrong, one problem per entry, each with its place; empty means fine. */
  run: (root: string) => Promise<string[]>;
};
