/**
 * A named break of the product, with the test file that must notice it: `npm run campaign:mutants`.
 *
 * `from` stands in its file exactly once. A break is small, compiles, and takes away what one requirement asks for.
 */
export type Mutant = {
  readonly id: string;
  /** In words: what is broken. */
  readonly breaks: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly test: string;
};
