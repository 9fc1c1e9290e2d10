/** Collects what a command will write, and what about it cannot be known. */
import { posix } from "node:path";
import { asGlob, escapeGlob, type Field } from "./field.ts";
import { createLinks, mayMatch, type Place } from "./follow-links.ts";

export type WriteTarget = {
  readonly path: string;
  readonly why: string;
  /** The path is a glob: any number of files, of which some may exist. */
  readonly isPattern: boolean;
  /** The names alone are taken away: what a link among them leads to stays as it is. */
  readonly isNameOnly?: boolean | undefined;
};
export type Unknown = { readonly what: string; readonly why: string };
/** What a path is now; undefined for one that is not there. */
export type KindOf = (path: string) => "file" | "folder" | undefined;

/** How a file is written, where that matters. */
export type Manner = {
  /** Everything in the folder too. */
  readonly below?: boolean | undefined;
  /** The name is taken away; the file behind a link of that name stays as it is. */
  readonly isNameOnly?: boolean | undefined;
  /** A file that is there already stays as it is. */
  readonly isIfAbsent?: boolean | undefined;
};
/** A git command whose files only git can name. */
export type GitCommand = { readonly folder: string; readonly args: readonly string[] };

export type Report = {
  readonly targets: () => readonly WriteTarget[];
  readonly unknown: () => readonly Unknown[];
  /** Programs whose written files are not known at all. */
  readonly programs: () => readonly string[];
  readonly gitCommands: () => readonly GitCommand[];
  readonly write: (field: Field, why: string, cwd: string | undefined, manner?: Manner) => void;
  readonly doubt: (what: string, why: string) => void;
  /** From now on, a write to the first is one to the second. */
  readonly link: (place: Field, target: Field, cwd: string | undefined) => void;
  readonly program: (name: string) => void;
  readonly git: (args: readonly Field[], cwd: string | undefined) => void;
  /** The answers of git about later commands of the line rest on another state of the repository than there will be. */
  readonly changeRepository: (by: string) => void;
  /** Whether the line may have changed the file so far. */
  readonly mayHaveChanged: (path: string) => boolean;
  /** How much was said so far. */
  readonly count: () => number;
  /** False once the command is too long to be followed to its end. */
  readonly canContinue: () => boolean;
};

const mostSteps = 5000;
const mostTargets = 2000;
const mostUnknown = 50;
const mostNames = 10;
const mostGitCommands = 50;
/** Devices, and the descriptors of this process; what lies in /dev/shm is a file like any other. */
const noFile = /^\/(?:dev(?!\/shm\/)|proc\/self)(?:\/|$)/;

/** Other names of the folder that a command runs in, and of the root. */
const ownPlaces = /^\/proc\/(?:self|thread-self|\d+|\*|\\\*)\/(cwd|root)\/(.+)$/;
/** A descriptor by its name, and a file in a folder that is open. */
const descriptors = /^\/(?:dev|proc\/(?:self|thread-self|\d+|\*|\\\*))\/(?:fd\/(\d+)|(stdin|stdout|stderr))(\/.+)?$/;
/** Above these lie the names of `<(…)` and `>(…)`. */
const ownDescriptors = 1000;
/** Settings and names of commits; locks and hooks do not change what git answers. */
const repositoryState = /\/\.git\/(?:config|HEAD|FETCH_HEAD|ORIG_HEAD|packed-refs|index|info\/.+|refs\/.+)$/;

/** The name under which an open file is kept. */
export function descriptorName(number: number): string {
  return `/proc/self/fd/${number}`;
}

export function createReport(kindOf: KindOf): Report {
  const targets = new Map<string, WriteTarget>();
  const unknown = new Map<string, Unknown>();
  const programs = new Set<string>();
  const gitCommands = new Map<string, GitCommand>();
  const links = createLinks();
  let steps = 0;
  let changedBy: string | undefined;
  const doubt: Report["doubt"] = (what, why) => {
    if (unknown.size < mostUnknown) unknown.set(`${what}\0${why}`, { what, why });
  };
  const add = ({ path, isPattern }: Place, why: string, isNameOnly: boolean, depth = 0): void => {
    if (targets.size >= mostTargets) return doubt("more files", "the command names too many of them");
    const key = `${isPattern}\0${path}`;
    const known = targets.get(key);
    if (known === undefined) targets.set(key, { path, why, isPattern, ...(isNameOnly ? { isNameOnly } : {}) });
    else if (known.isNameOnly === true && !isNameOnly) targets.set(key, { path, why, isPattern });
    if (repositoryState.test(path)) changedBy ??= path;
    if (depth > mostNames || (isNameOnly && links.has(path))) return;
    for (const other of links.otherNames({ path, isPattern }))
      if (other === undefined) doubt(path, "where this link leads is not known");
      else add(other, why, false, depth + 1);
  };
  /** A write to an open file by its descriptor's name opens it anew. */
  const addDescriptor = (number: number, inside: string, why: string): void => {
    const [other] = links.otherNames({ path: descriptorName(number) + inside, isPattern: false });
    if (other !== undefined) add(other, why, false);
    else if (inside !== "" || (number > 2 && number < ownDescriptors))
      doubt(descriptorName(number) + inside, "what is open there is not known");
  };
  return {
    targets: () => [...targets.values()],
    unknown: () => [...unknown.values()],
    programs: () => [...programs],
    gitCommands: () => [...gitCommands.values()],
    doubt,
    link(place, target, cwd) {
      const from = placeOf(place, cwd);
      if (from !== undefined) links.add(from, placeOf(target, cwd));
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
      if (changedBy !== undefined)
        doubt(`git ${args[0]?.text ?? ""}`, `${changedBy} before it changes the answer of git`);
    },
    changeRepository(by) {
      changedBy ??= by;
    },
    mayHaveChanged: (path) =>
      unknown.size + programs.size + gitCommands.size > 0 ||
      [...targets.values()].some((one) =>
        one.isPattern ? mayMatch(one.path, path) : one.path === path || path.startsWith(`${one.path}/`),
      ),
    write(field, why, cwd, { below = false, isNameOnly = false, isIfAbsent = false } = {}) {
      if (field.unknown !== undefined) return doubt(field.unknown, why);
      if (field.guess !== undefined) doubt(field.guess, why);
      if (field.text === "") return;
      const text = field.glob ?? field.text;
      if (text.startsWith("/proc/") || text.startsWith("/dev/")) {
        const [, ofRoot, inside] = ownPlaces.exec(text) ?? [];
        if (inside !== undefined) {
          const place = ofRoot === "root" ? `/${inside}` : `./${inside}`;
          return this.write(field.glob === undefined ? { text: place } : { text: place, glob: place }, why, cwd, {
            below,
          });
        }
        const [found, number, name = "", rest = ""] = descriptors.exec(text) ?? [];
        if (found !== undefined)
          return addDescriptor(number === undefined ? standard.indexOf(name) : Number(number), rest, why);
      }
      const place = placeOf(field, cwd);
      if (place === undefined) return doubt(field.text, "the folder is not known");
      if (!place.isPattern && noFile.test(place.path)) return;
      if (isIfAbsent && !place.isPattern && kindOf(place.path) !== undefined && !this.mayHaveChanged(place.path))
        return;
      add(place, why, isNameOnly);
      if (!below || (isNameOnly && links.has(place.path))) return;
      const folder = place.isPattern ? place.path : escapeGlob(place.path);
      add({ path: posix.join(folder, "**"), isPattern: true }, why, false);
    },
    count: () => targets.size + unknown.size + programs.size + gitCommands.size,
    canContinue() {
      steps++;
      if (steps === mostSteps) doubt("the rest", "the command is too long to be followed");
      return steps < mostSteps;
    },
  };
}

const standard = ["stdin", "stdout", "stderr"];

/** Undefined where it is not known. */
function placeOf(field: Field, cwd: string | undefined): Place | undefined {
  if (field.unknown !== undefined || (cwd === undefined && !field.text.startsWith("/"))) return undefined;
  return field.glob === undefined
    ? { path: posix.resolve(cwd ?? "/", field.text), isPattern: false }
    : { path: posix.resolve(escapeGlob(cwd ?? "/"), asGlob(field)), isPattern: true };
}
