export { clientLibrary, libraryName } from "./library-script.ts";
export { libraryLoader, libraryRecord, libraryRecordName } from "./loader-script.ts";
