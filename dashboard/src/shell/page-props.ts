/** What every page is told: what of it the address names. */
import type { Route } from "./route.ts";

export type PageProps = { readonly route: Route };
