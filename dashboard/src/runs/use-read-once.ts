/** A value made from an answer, the same as long as the answer is the same. */
import { useMemo } from "react";

export function useReadOnce<From, To>(from: From, read: (from: From) => To): To {
  return useMemo(() => read(from), [from, read]);
}
