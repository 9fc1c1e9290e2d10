/**
 * The third-party clients that have an adapter, one row each. An agent of any other client can register too; a row adds
 * hooks, installation and the client's own records of model calls. A new row needs its folder, a suite on
 * test/conformance/client-adapter.ts and, where the client names its session, a line in client-sessions/.
 */
import type { InstallableClientV1 } from "../../contract/index.ts";
import { claudeCode, claudeCodeUsage } from "../claude-code/index.ts";
import { codex, codexUsage } from "../codex/index.ts";
import { gemini, geminiUsage } from "../gemini/index.ts";
import { opencode, opencodeUsage } from "../opencode/index.ts";
import type { ClientUsage } from "../transcripts/index.ts";

type KnownClient = { readonly adapter: InstallableClientV1; readonly usage: ClientUsage };

const rows: readonly KnownClient[] = [
  { adapter: claudeCode, usage: claudeCodeUsage },
  { adapter: codex, usage: codexUsage },
  { adapter: opencode, usage: opencodeUsage },
  { adapter: gemini, usage: geminiUsage },
];

export const knownClients: readonly InstallableClientV1[] = rows.map(({ adapter }) => adapter);
export const clientUsages: readonly ClientUsage[] = rows.map(({ usage }) => usage);
