/** Door of remote scans: a repository elsewhere, cloned within limits and described. */
export { readHosts } from "./allowed-remote.ts";
export {
  type CloneRemote,
  createRemoteScan,
  type RemoteAsked,
  type RemoteScan,
  type ScanRemote,
} from "./scan-remote.ts";
