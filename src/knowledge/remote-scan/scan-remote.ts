/**
 * A repository elsewhere, looked at once: cloned into the home, indexed, described.
 *
 *   url -> allowed? -> clone (size and time bounded) -> index, tools -> answer; the oldest clones leave
 *
 * Nothing of the clone is executed: no hook, no submodule, no filter. Its words are other people's text.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type CodeAbout, DomainError, type ToolReport } from "../../contract/index.ts";
import { type CodeLook } from "../code-index/index.ts";
import { type AllowedHost, type AllowedRemote, allowRemote } from "./allowed-remote.ts";

export type RemoteAsked = {
  readonly url: string;
  readonly auth_token?: string | undefined;
  /** Only the newest commit. */
  readonly shallow?: boolean | undefined;
  /** Address that its host was found to have: git connects there and asks no name server. */
  readonly connectTo?: string | undefined;
};
export type CloneTerms = {
  readonly remote: AllowedRemote;
  readonly into: string;
  readonly isShallow: boolean;
  readonly connectTo?: string | undefined;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
};
export type CloneRemote = (terms: CloneTerms) => Promise<{ readonly bytes: number }>;
export type ScanPorts = {
  /** Where clones are kept. */
  readonly folder: string;
  readonly hosts: readonly AllowedHost[];
  readonly limits: { readonly maxBytes: number; readonly timeoutMs: number };
  readonly clone: CloneRemote;
  readonly lookInto: (tree: string) => CodeLook;
  readonly toolsIn: (tree: string) => Promise<ToolReport>;
  /** Removes what the index keeps of a clone. */
  readonly forget: (tree: string) => Promise<void>;
  /** The token that a variable holds; told to the redactor. */
  readonly tokenIn: (variable: string) => string | undefined;
};
export type RemoteScan = {
  readonly url: string;
  readonly shallow: boolean;
  readonly bytes: number;
  /** The clone, for further questions. */
  readonly tree: string;
  readonly commit: string | null;
  readonly branch?: string | undefined;
  readonly fileCount: number;
  readonly folders: readonly { readonly path: string; readonly files: number }[];
  readonly files: readonly string[];
  readonly languages: ToolReport["languages"];
  readonly tools: readonly string[];
  readonly map: string;
  readonly about: CodeAbout;
};
export type ScanRemote = (asked: RemoteAsked, signal: AbortSignal) => Promise<RemoteScan>;

/** Clones that are kept, so that the code of the latest ones can be asked about. */
const mostKept = 5;
const mapTokens = 1_500;

export function createRemoteScan(ports: ScanPorts): ScanRemote {
  const { folder, hosts, limits, clone } = ports;
  let last: Promise<unknown> = Promise.resolve();

  async function scan(
    { url, auth_token: handle, shallow = true, connectTo }: RemoteAsked,
    signal: AbortSignal,
  ): Promise<RemoteScan> {
    const remote = allowRemote(url, handle, hosts);
    const { variable } = remote;
    const token = variable === undefined ? undefined : ports.tokenIn(variable);
    if (variable !== undefined && (token === undefined || token === ""))
      throw new DomainError(
        "workspace.unavailable",
        `The daemon's environment has no variable ${variable}, which holds the token of ${remote.host}; set it and restart the daemon`,
      );
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const place = join(folder, createHash("sha256").update(remote.url).digest("hex").slice(0, 24));
    const fresh = `${place}.new`;
    await rm(fresh, { recursive: true, force: true });
    try {
      const { bytes } = await clone({ remote, into: fresh, isShallow: shallow, connectTo, ...limits, token, signal });
      await rm(place, { recursive: true, force: true });
      await rename(fresh, place);
      for (const old of await oldestIn(folder)) {
        await rm(old, { recursive: true, force: true });
        await ports.forget(old);
      }
      return { ...(await describe(place)), url: remote.url, shallow, bytes };
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  }

  async function describe(tree: string): Promise<Omit<RemoteScan, "url" | "shallow" | "bytes">> {
    const { text: map, about } = await ports.lookInto(tree)("code.map", { tokens: mapTokens });
    const { folders, files } = await ports.lookInto(tree)("code.outline", { path: "." });
    const { languages, answers } = await ports.toolsIn(tree);
    const tools = [...new Set(answers.flatMap((answer) => answer.tools.map(({ name }) => name)))];
    const { commit, branch } = about;
    return {
      tree,
      commit,
      branch,
      fileCount: about.files,
      folders,
      files: files.map(({ path }) => path),
      languages,
      tools,
      map,
      about,
    };
  }

  /** One at a time: two clones of one address would write into each other. */
  return (asked, signal) => {
    const done = last.then(() => scan(asked, signal));
    last = done.catch(() => {}); // its caller gets the error
    return done;
  };
}

async function oldestIn(folder: string): Promise<readonly string[]> {
  const places = (await readdir(folder)).map((name) => join(folder, name));
  const ages = await Promise.all(places.map(async (place) => ({ place, at: (await stat(place)).mtimeMs })));
  const byAge = ages.sort((a, b) => b.at - a.at);
  return byAge.slice(mostKept).map(({ place }) => place);
}
