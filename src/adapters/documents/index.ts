export { openDocumentReader } from "./open-document-reader.ts";
