/** The skill that looks at a repository elsewhere, where the user allows its host. */
import { bool, defineSkill, optional, text } from "../../../knowledge/skills/index.ts";
import type { ScanRemote } from "../../../knowledge/remote-scan/index.ts";
import { callable, type CallableSkill } from "../../skills/index.ts";

export const scanRemoteRepo = defineSkill({
  name: "scan_remote_repo",
  description: "Clone a repository of an allowed host and describe it: languages, tools, folders, a map of its code",
  domain: "remote",
  keywords: ["remote", "clone", "repository at", "github"],
  tier: "specialised",
  parameters: {
    url: text("Address that begins with https://"),
    auth_token: optional(text("Name of the credential, for example env:WORK_TOKEN; never the token itself")),
    shallow: optional(bool("Only the newest commit; true by default")),
  },
  tokens: 113,
});

export function remoteCallable(scanRemote: ScanRemote): CallableSkill {
  return callable(scanRemoteRepo, "read", (asked, { signal }) => scanRemote(asked, signal));
}
