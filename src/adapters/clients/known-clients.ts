/**
 * The third-party clients that have an adapter, one row each. An agent of any other client can register too; an adapter adds
 * hooks and installation. A new client is its folder, a row here, a suite on test/conformance/client-adapter.ts and, where
 * the client has them, its session variable in client-sessions/ and its records of model calls in client-usages/.
 */
import type { InstallableClientV1 } from "../../contract/index.ts";
import { claudeCode } from "../claude-code/index.ts";
import { codex } from "../codex/index.ts";
import { gemini } from "../gemini/index.ts";
import { opencode } from "../opencode/index.ts";

export const knownClients: readonly InstallableClientV1[] = [claudeCode, codex, opencode, gemini];
