/**
 * Our shell prefix in a client's settings: {"env": {"CLAUDE_CODE_SHELL_PREFIX": "<beside the settings>/sylk-shell"}}. Only where there
 * is none, in any settings file or in the environment: a prefix is the user's own. Ours is known by its file's name.
 */
import { isObject, memberOf, parseJsonWithComments, treeOf, withLastMember, withoutNode } from "./json-settings.ts";
import { shellPrefixName } from "./shell-prefix-script.ts";

const group = "env";

export function withShellPrefix(text: string, variable: string, program: string): string {
  const root = treeOf(text);
  const env = memberOf(root, group);
  if (env === undefined) return withLastMember(text, root, group, { [variable]: program });
  if (env.type !== "object" || memberOf(env, variable) !== undefined) return text;
  return withLastMember(text, env, variable, program);
}

export function withoutShellPrefix(text: string, variable: string): string {
  if (!isOurs(shellPrefixIn(text, variable))) return text;
  return withoutNode(text, memberOf(memberOf(treeOf(text), group), variable)!);
}

/** Ours or the user's. */
export function shellPrefixIn(text: string, variable: string): string | undefined {
  try {
    const settings = parseJsonWithComments(text);
    const env = isObject(settings) ? settings[group] : undefined;
    const prefix = isObject(env) ? env[variable] : undefined;
    return typeof prefix === "string" ? prefix : undefined;
  } catch {
    return undefined;
  }
}

export function isOurs(prefix: string | undefined): boolean {
  return prefix?.endsWith(`/${shellPrefixName}`) === true;
}
