/** `confine.pl`: Perl, because it makes system calls without a compiler, starts in 2 ms and is where git is. */
import { readShippedFile, shippedFile } from "../../platform/shipped-files.ts";

const path = "adapters/confinement/confine.pl";

export const helperName = "confine.pl";

export function helperScript(): string {
  return readShippedFile(path);
}

/** In the package itself. */
export function helperFile(): string {
  return shippedFile(path);
}
