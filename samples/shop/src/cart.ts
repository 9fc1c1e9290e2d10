export type Item = { readonly name: string; readonly price: number; readonly quantity: number };

/** The price of all items, in cents. */
export function total(items: readonly Item[]): number {
  return items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
}
