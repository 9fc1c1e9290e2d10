/** Collects what a command will write, and what about it cannot be known. */
import { posix } from "node:path";
import { asGlob, escapeGlob, type Field } from "./field.ts";

export type WriteTarget = {
  readonly path: string;
  readonly why: string;
  /** The path is a glob: any number of files, of which some may exist. */
  readonly isPattern: boolean;
};
export type Unknown = { readonly what: string; readonly why: string };
/** A git command whose files only git can name. */
export type GitCommand = { readonly folder: string; readonly args: readonly string[] };

export type Report = {
  readonly targets: () => readonly WriteTarget[];
  readonly unknown: () => readonly Unknown[];
  /** Programs whose written files are not known at all. */
  readonly programs: () => readonly string[];
  readonly gitCommands: () => readonly GitCommand[];
  /** `below`: everything in the folder too. */
  readonly write: (field: Field, why: string, cwd: string | undefined, below?: boolean) => void;
  readonly doubt: (what: string, why: string) => void;
  /** From now on, a write to the first is one to the second. */
  readonly link: (place: Field, target: Field, cwd: string | undefined) => void;
  readonly program: (name: string) => void;
  readonly git: (args: readonly Field[], cwd: string | undefined) => void;
  /** How much was said so far. */
  readonly count: () => number;
  /** False once the command is too long to be followed to its end. */
  readonly canContinue: () => boolean;
};

const mostSteps = 5000;
const mostTargets = 2000;
const mostUnknown = 50;
const mostLinks = 10;
const mostGitCommands = 50;
/** Devices, and the descriptors of this process; what lies in /dev/shm is a file like any other. */
const noFile = /^\/(?:dev(?!\/shm\/)|proc\/self)(?:\/|$)/;

/** Other names of the folder that a command runs in, and of the root. */
const ownPlaces = /^\/proc\/(?:self|thread-self|\d+|\*|\\\*)\/(cwd|root)\/(.+)$/;
/** A file in a folder that is open. */
const openFolder = /^\/(?:dev|proc\/(?:self|\d+|\*))\/fd\/\d+\/./;

/** Through a link that the command itself made: the link, or a folder on the way, stands for another place. */
function followLink(path: string, links: ReadonlyMap<string, string>): string | undefined {
  if (links.size === 0) return undefined;
  for (let place = path; place !== "/" && place !== "."; place = posix.dirname(place)) {
    const target = links.get(place);
    if (target !== undefined && !path.startsWith(`${target}/`)) return target + path.slice(place.length);
  }
  return undefined;
}

export function createReport(): Report {
  const targets = new Map<string, WriteTarget>();
  const unknown = new Map<string, Unknown>();
  const programs = new Set<string>();
  const gitCommands = new Map<string, GitCommand>();
  const links = new Map<string, string>();
  let steps = 0;
  const doubt: Report["doubt"] = (what, why) => {
    if (unknown.size < mostUnknown) unknown.set(`${what}\0${why}`, { what, why });
  };
  const add = (path: string, why: string, isPattern: boolean, depth = 0): void => {
    if (targets.size >= mostTargets) return doubt("more files", "the command names too many of them");
    const key = `${isPattern}\0${path}`;
    if (!targets.has(key)) targets.set(key, { path, why, isPattern });
    const followed = depth > mostLinks ? undefined : followLink(path, links);
    if (followed !== undefined) add(followed, why, isPattern, depth + 1);
  };
  return {
    targets: () => [...targets.values()],
    unknown: () => [...unknown.values()],
    programs: () => [...programs],
    gitCommands: () => [...gitCommands.values()],
    doubt,
    link(place, target, cwd) {
      const isKnown = [place, target].every((one) => one.unknown === undefined && one.glob === undefined);
      if (isKnown && cwd !== undefined && links.size < mostTargets)
        links.set(posix.resolve(cwd, place.text), posix.resolve(cwd, target.text));
    },
    program(name) {
      if (programs.size < mostUnknown) programs.add(name);
    },
    git(args, cwd) {
      const isKnown = cwd !== undefined && args.every((arg) => arg.unknown === undefined);
      if (!isKnown || gitCommands.size >= mostGitCommands)
        return doubt(`git ${args[0]?.text ?? ""}`, "it may change the whole tree");
      const command = { folder: cwd, args: args.map(({ text }) => text) };
      gitCommands.set(JSON.stringify(command), command);
    },
    write(field, why, cwd, below = false) {
      if (field.unknown !== undefined) return doubt(field.unknown, why);
      if (field.guess !== undefined) doubt(field.guess, why);
      if (field.text === "") return;
      const [, ofRoot, inside] = ownPlaces.exec(field.glob ?? field.text) ?? [];
      if (inside !== undefined) {
        const text = ofRoot === "root" ? `/${inside}` : `./${inside}`;
        return this.write(field.glob === undefined ? { text } : { text, glob: text }, why, cwd, below);
      }
      if (openFolder.test(field.text)) return doubt(field.text, why);
      if (cwd === undefined && !field.text.startsWith("/")) return doubt(field.text, "the folder is not known");
      const glob = posix.resolve(escapeGlob(cwd ?? "/"), asGlob(field));
      if (field.glob !== undefined) add(glob, why, true);
      else if (noFile.test(field.text)) return;
      else add(posix.resolve(cwd ?? "/", field.text), why, false);
      if (below) add(posix.join(glob, "**"), why, true);
    },
    count: () => targets.size + unknown.size + programs.size + gitCommands.size,
    canContinue() {
      steps++;
      if (steps === mostSteps) doubt("the rest", "the command is too long to be followed");
      return steps < mostSteps;
    },
  };
}
