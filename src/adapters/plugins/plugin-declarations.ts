/**
 * The capabilities of a client's installed plugins, declared in a file of ours beside the client's own manifest:
 *
 *   <plugin>/.claude-plugin/integration.json   { "capabilities": ["code-review"], "reviewers": [{ "name": "fd-safety" }] }
 *
 * A reviewer is declared as the capability reviewer:<name>. Whatever cannot be read, or is not a capability, declares nothing:
 * a session starts all the same.
 */
import { open } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import * as z from "zod";
import type { ClientName } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { Integration } from "./integration.ts";

const word = /^[a-z0-9][a-z0-9+#._-]{0,60}$/;
const Declared = Integration.pick({ capabilities: true, reviewers: true });
const Installed = z.object({ plugins: z.record(z.string(), z.unknown()) });
const Place = z.object({ installPath: z.string().min(1).max(4_096).refine(isAbsolute) });

const largestFile = 262_144;
const mostPlugins = 200;
const mostDeclared = 100;
const readAgainMs = 10_000;

type Ports = { readonly clock: Clock; readonly env: Readonly<Record<string, string | undefined>> };

export function createPluginDeclarations({ clock, env }: Ports): (client: ClientName) => Promise<readonly string[]> {
  let last: { readonly at: number; readonly declared: Promise<readonly string[]> } | undefined;
  return async (client) => {
    if (client !== "claude-code") return [];
    if (last === undefined || clock.monotonic() - last.at > readAgainMs)
      last = {
        at: clock.monotonic(),
        declared: readAll(env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), ".claude")),
      };
    return last.declared;
  };
}

async function readAll(config: string): Promise<readonly string[]> {
  const places = await installPaths(join(config, "plugins", "installed_plugins.json"));
  const declared = await Promise.all(
    places.slice(0, mostPlugins).map((place) => declaredIn(join(place, ".claude-plugin", "integration.json"))),
  );
  return [...new Set(declared.flat())].slice(0, mostDeclared);
}

/** One entry for each plugin, or a list of them, by version of the client. */
async function installPaths(file: string): Promise<readonly string[]> {
  const installed = Installed.safeParse(await readJson(file));
  if (!installed.success) return [];
  return Object.values(installed.data.plugins)
    .flat()
    .flatMap((entry) => Place.safeParse(entry).data?.installPath ?? []);
}

async function declaredIn(file: string): Promise<readonly string[]> {
  const integration = Declared.safeParse(await readJson(file));
  if (!integration.success) return [];
  const { capabilities, reviewers } = integration.data;
  return [
    ...capabilities.filter((name) => name.split(":").length <= 2 && name.split(":").every((part) => word.test(part))),
    ...reviewers.filter(({ name }) => word.test(name)).map(({ name }) => `reviewer:${name}`),
    ...reviewers.flatMap((reviewer) => reviewer.capabilities).filter((name) => word.test(name)),
  ].filter((name) => name.length <= 80);
}

async function readJson(file: string): Promise<unknown> {
  try {
    await using handle = await open(file, "r");
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size > largestFile) return undefined;
    return JSON.parse(await handle.readFile("utf8"));
  } catch {
    return undefined; // not there, or not for us
  }
}
