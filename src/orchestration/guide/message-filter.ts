/** The filter of a subscription beyond its topic: session, message types, lowest priority. */
export type MessageFilter = {
  readonly session?: string;
  readonly types?: readonly string[];
  readonly minPriority?: number;
};

type Filterable = { readonly session: string; readonly type: string; readonly priority: number };

/** Everything named must hold; what is not named does not matter. */
export function messageFilter({ session, types, minPriority }: MessageFilter): (message: Filterable) => boolean {
  const wantedTypes = types && new Set(types);
  return (message) =>
    (session === undefined || message.session === session) &&
    (wantedTypes === undefined || wantedTypes.has(message.type)) &&
    (minPriority === undefined || message.priority >= minPriority);
}
