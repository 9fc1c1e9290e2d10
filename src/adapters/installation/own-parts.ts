/** Our parts in clients' and users' files, file by file, and how each is added and removed. */
import type { ClientPart, InstallableClientV1 } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { OwnPart } from "./file-acts.ts";
import { hasHooks, withHooks, withoutHooks } from "./hook-settings.ts";
import { hasMember, withMember, withoutMember } from "./json-member.ts";
import { launcherName } from "./launcher-script.ts";
import { hasBlock, withBlock, withoutBlock } from "./marked-block.ts";
import { withoutShellPrefix, withShellPrefix } from "./shell-prefix-setting.ts";
import { statuslineName } from "./statusline-script.ts";
import { withoutStatusline, withStatusline } from "./statusline-setting.ts";

export type OwnFile = { readonly file: string; readonly part: OwnPart };
export type LaunchTerms = {
  /** What a hook starts, before client and event. */
  readonly launch: string;
  /** Undefined: looked up when it runs. */
  readonly home: string | undefined;
  /** Whether the client's status line becomes ours. */
  readonly statusline?: boolean;
  /** The program for the client's shell prefix; where it is not on, the client's own stays. */
  readonly shellPrefix?: { readonly file: string; readonly text: string; readonly isOn: boolean };
};

/** The settings file is the first. */
export function ownFiles(client: InstallableClientV1, settings: string, terms: LaunchTerms): readonly OwnFile[] {
  const parts = new Map<string, OwnPart[]>([[settings, []]]);
  if (client.entries.length > 0) parts.get(settings)!.push(hooksIn(settings, client, terms.launch));
  if (client.hasStatusline === true) parts.get(settings)!.push(statuslineIn(terms));
  const { shellPrefix } = terms;
  if (client.shellPrefixVariable !== undefined && shellPrefix !== undefined) {
    parts.set(shellPrefix.file, [prefixFile(shellPrefix)]);
    parts.get(settings)!.push(prefixIn(client.shellPrefixVariable, shellPrefix));
  }
  for (const { file, part } of client.furtherParts?.(settings) ?? [])
    parts.set(file, [...(parts.get(file) ?? []), partIn(file, part, terms)]);
  return [...parts].map(([file, found]) => ({ file, part: together(found) }));
}

function hooksIn(file: string, { entries, name, timeoutsInMs = false }: InstallableClientV1, launch: string): OwnPart {
  const perSecond = timeoutsInMs ? 1000 : 1;
  return {
    what: `hooks for ${[...new Set(entries.map(({ event }) => event))].join(", ")}`,
    added: (text) => withHooks(text, file, entries, (event) => `${launch} ${name} ${event}`, perSecond),
    taken: (text) => (hasHooks(text) ? withoutHooks(text, file) : text),
    isIn: hasHooks,
  };
}

/** It is not a problem when it is not there. */
function statuslineIn({ launch, statusline = false }: LaunchTerms): OwnPart {
  const command = launch.replace(`/hooks/${launcherName}`, `/hooks/${statuslineName}`);
  return {
    what: statusline ? "the status line" : "",
    added: (text) => (statusline ? withStatusline(text, command) : text),
    taken: withoutStatusline,
    isIn: () => true,
  };
}

type ShellPrefix = NonNullable<LaunchTerms["shellPrefix"]>;

/** As the status line: where it is missing, `sylk doctor` says that nothing is enforced. */
function prefixIn(variable: string, { file, isOn }: ShellPrefix): OwnPart {
  return {
    what: isOn ? "the shell prefix" : "",
    added: (text) => (isOn ? withShellPrefix(text, variable, file) : text),
    taken: (text) => withoutShellPrefix(text, variable),
    isIn: () => true,
  };
}

function prefixFile({ text: own, isOn }: ShellPrefix): OwnPart {
  return {
    what: "what shell commands start with",
    added: (text) => (isOn ? own : text),
    taken: () => "",
    isIn: () => true,
    isWhole: true,
    mode: 0o700,
  };
}

function partIn(file: string, part: ClientPart, { home }: LaunchTerms): OwnPart {
  const { what } = part;
  switch (part.kind) {
    case "member": {
      const member = { path: part.path, value: part.value(home) };
      return {
        what,
        added: (text) => withMember(text, file, member),
        taken: (text) => withoutMember(text, file, member),
        isIn: (text) => hasMember(text, member),
      };
    }
    case "block":
      return {
        what,
        added: (text) => (part.unless(text) ? text : withBlock(text, part.text(home))),
        taken: withoutBlock,
        isIn: (text) => hasBlock(text) || part.unless(text),
      };
    case "file": {
      const own = part.text(home);
      const [header = ""] = own.split("\n", 1);
      const isIn = (text: string): boolean => text.startsWith(header);
      return { what, added: () => own, taken: (text) => (isIn(text) ? "" : text), isIn, isWhole: true };
    }
  }
}

/** Several parts of one file: put in one after the other, taken out the other way round. */
function together(parts: readonly OwnPart[]): OwnPart {
  return {
    what: parts.flatMap(({ what }) => (what === "" ? [] : [what])).join("; "),
    added: (text) => parts.reduce((made, { added }) => added(made), text),
    taken: (text) => parts.reduceRight((left, { taken }) => taken(left), text),
    isIn: (text) => parts.every(({ isIn }) => isIn(text)),
    isWhole: parts.some(({ isWhole }) => isWhole === true),
    ...defined({ mode: parts.find(({ mode }) => mode !== undefined)?.mode }),
  };
}

const mark = "# sylk";

/** Lines among what git ignores. */
export function ignored(paths: readonly string[]): OwnPart {
  const linesFor = (path: string): string => `${mark}\n/${path}\n`;
  return {
    what: `ignore ${paths.join(", ")}, which ${paths.length === 1 ? "is" : "are"} of this machine only`,
    added: (text) =>
      `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${paths.map((path) => linesFor(path)).join("")}`,
    taken: (text) => paths.reduce((left, path) => left.replace(linesFor(path), ""), text),
    isIn: (text) => paths.every((path) => text.includes(linesFor(path))),
  };
}
