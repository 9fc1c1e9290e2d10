/** The order in which a person looks: what fails or runs unprotected first, then by name. */
type Counted = {
  readonly kind: string;
  readonly name: string;
  readonly failures: number;
  readonly timeouts: number;
  readonly degraded: number;
  readonly unguarded: number;
};

export function orderComponents<Component extends Counted>(components: readonly Component[]): readonly Component[] {
  const trouble = ({ failures, timeouts, degraded, unguarded }: Counted): number =>
    failures + timeouts + degraded + unguarded;
  const inOrder = (a: Component, b: Component): number =>
    trouble(b) - trouble(a) || a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name);
  return components.toSorted(inOrder);
}
