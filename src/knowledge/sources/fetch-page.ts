/** The port of the network: one page of an allowed host, within limits. */
export type FetchedPage = {
  /** Where it was found in the end. */
  readonly location: string;
  /** As the server says. */
  readonly media: string;
  readonly encoding: string | undefined;
  readonly bytes: Uint8Array;
};

/** Refuses by `caller.denied` what is not allowed, by `source.unreachable` and `source.unreadable` what failed. */
export type FetchPage = {
  get(address: string, signal: AbortSignal): Promise<FetchedPage>;
  /** The address that its host has, if it is allowed. */
  resolve(address: string, signal: AbortSignal): Promise<string>;
  /** Whether its host is allowed and answers, without reading the page. */
  check(address: string, signal: AbortSignal): Promise<void>;
};
