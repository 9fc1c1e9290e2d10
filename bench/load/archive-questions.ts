/** Entries with questions in other words, each with the entry that answers it: written by hand. */
type Labelled = {
  readonly title: string;
  readonly text: string;
  readonly asked: readonly string[];
};

export const labelledEntries: readonly Labelled[] = [
  {
    title: "Add percentage discounts to the cart",
    text: "applyDiscount, totals rounded to cents",
    asked: ["discount for carts", "reduce the cart total by percent"],
  },
  {
    title: "Add a fixed voucher to the checkout",
    text: "voucher codes, one per order",
    asked: ["voucher code at checkout", "one code per order"],
  },
  {
    title: "Show taxes on the receipt",
    text: "net, tax and gross lines for every receipt",
    asked: ["tax lines of a receipt", "gross and net on the bill"],
  },
  {
    title: "Export orders as CSV",
    text: "download of all orders with totals",
    asked: ["download orders", "csv of the orders"],
  },
  {
    title: "Move sessions to a cookie store",
    text: "signed cookies instead of server memory",
    asked: ["sign the session cookie", "sessions without server memory"],
  },
  {
    title: "Retry failed payments",
    text: "three attempts with growing pauses",
    asked: ["payment retries", "attempt a payment again"],
  },
  {
    title: "Cache product pictures",
    text: "thumbnails are kept for a day",
    asked: ["thumbnail cache", "keep pictures of products"],
  },
  {
    title: "Search products by name",
    text: "prefix search with typo tolerance",
    asked: ["find a product by its name", "typos in product search"],
  },
  {
    title: "Migration timed out",
    text: "lock on the orders table was held for 30 seconds",
    asked: ["orders table locked", "timeout of a migration"],
  },
  {
    title: "Tests depend on the time zone",
    text: "dates differ by one day in winter",
    asked: ["time zone of tests", "date off by one day"],
  },
  {
    title: "Rounding differs between cart and receipt",
    text: "the cart rounds each line, the receipt the sum",
    asked: ["cart and receipt disagree", "rounding of sums and lines"],
  },
  {
    title: "Upload of large files runs out of memory",
    text: "the whole body is read before it is stored",
    asked: ["memory for large uploads", "upload body too large"],
  },
  {
    title: "Duplicate webhooks create two orders",
    text: "no idempotency key on the webhook",
    asked: ["webhook delivered twice", "two orders from one webhook"],
  },
  {
    title: "Prices are whole cents",
    text: "integers, never fractions",
    asked: ["are prices integers", "cents or fractions"],
  },
  {
    title: "Postgres for orders, SQLite for carts",
    text: "carts are local and short lived",
    asked: ["which database for carts", "where are orders stored"],
  },
  {
    title: "No client side state for checkout",
    text: "every step is a request",
    asked: ["checkout state in the client", "is the checkout stateless"],
  },
  {
    title: "English error messages only",
    text: "translations are made by the shop",
    asked: ["language of errors", "translate error messages"],
  },
  {
    title: "Repositories return plain objects",
    text: "no entities with methods",
    asked: ["what do repositories return", "plain objects from a repository"],
  },
  {
    title: "Handlers validate with a schema first",
    text: "zod at the edge, trusted values inside",
    asked: ["validation in handlers", "schema at the edge"],
  },
  {
    title: "Feature flags are read once per request",
    text: "so that a request sees one value",
    asked: ["when are feature flags read", "flags per request"],
  },
];
