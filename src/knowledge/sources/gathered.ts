/** What was found at a location, before it is stored. */
import type { SourceKind } from "../../contract/index.ts";
import type { ReadDocument } from "./document-reader.ts";

export type FoundDocument = {
  readonly location: string;
  readonly title?: string | undefined;
  readonly document: ReadDocument;
};
/** The documents of a source, as they come; what is told through `skip` is not among them. */
export type Gathered = {
  readonly kind: SourceKind;
  readonly location: string;
  readonly title?: string | undefined;
  readonly documents: AsyncIterable<FoundDocument>;
  readonly notes?: readonly string[];
};
