/** Rules of functions that write files: which of the arguments are the targets. */
import { baseName, inFolder } from "../field.ts";
import type { Reader, Rule } from "./reader.ts";
import { listOf, texts, unknown, type Value } from "./value.ts";

/** The arguments at these places; with none, what the method is called on. */
export function writes(places: readonly number[], how: { readonly below?: boolean } = {}): Rule {
  return ({ args, receiver }, { write }) => {
    for (const place of places) write(place === -1 ? receiver : args[place], how);
  };
}
export const each: Rule = ({ args }, { write }) => {
  for (const one of args) if (!isOptions(one)) write(one);
};
export const eachBelow: Rule = ({ args }, { write }) => {
  for (const one of args) if (!isOptions(one)) write(one, { below: true });
};
export const isOptions = ({ named, items }: Value): boolean =>
  named !== undefined && (named.size > 0 || items?.length === 0);
/** The last argument, which may be a folder; behind a source its name in it. */
export function copies(from: number, to: number, isMove = false, below = false): Rule {
  return ({ args }, { write }) => {
    const [source, target] = [args[from], args[to]];
    if (isMove) write(source, { below: true });
    write(target, { below });
    if (source === undefined || target === undefined) return;
    const folders = target.fields.filter(({ text }) => !/[^/.]\.\w+$/.test(text));
    const inside = folders.flatMap((folder) =>
      source.fields.flatMap((one) => baseName(one) ?? []).map((name) => inFolder(folder, name)),
    );
    if (target.isKnown && source.isKnown && inside.length > 0) write({ fields: inside, isKnown: true }, { below });
  };
}

export const opens: Rule = ({ args, named }, reader) =>
  openFile(args[0], args[1] ?? named.get("mode") ?? named.get("flags"), reader);

export function openFile(file: Value | undefined, mode: Value | undefined, { write, contentOf }: Reader): Value {
  const isRead =
    mode === undefined ||
    (mode.isKnown &&
      mode.fields.every(({ text }) => /^(?:r?[bt]*|r[bt]*|rs|<.*|\d*)$/.test(text) && !text.includes("+")));
  if (!isRead) write(file);
  return { ...contentOf(file), isPath: false };
}

/** Perl: `open(my $f, ">", "a")`, `open(F, ">a")`. */
export const perlOpen: Rule = ({ args }, reader) => {
  const [, mode, file] = args;
  if (file !== undefined) {
    const sign = mode?.fields[0]?.text ?? "";
    if (mode?.isKnown === true && /^\s*(?:-\||\|-)/.test(sign)) return reader.startProgram(listOf(args.slice(2)));
    if (mode?.isKnown !== true || /[>+]/.test(sign)) reader.write(file);
    return;
  }
  for (const field of mode?.fields ?? []) {
    const [, sign = "", rest = ""] = /^\s*(\+?[<>|]{0,2})\s*(.*?)\s*$/s.exec(field.text) ?? [];
    if (/[>+]/.test(sign)) reader.write(texts({ ...field, text: rest }));
    else if (sign === "|" || rest.endsWith("|")) reader.startShell(texts(rest.replace(/\|$/, "")));
  }
  if (mode?.isKnown !== true) reader.write(mode ?? unknown);
};

export const renames: Rule = ({ receiver, args }, { write }) => {
  const isMethod = args.length === 1;
  const from = isMethod ? receiver : args[0];
  write(from, { below: from?.fields.some(({ text }) => !/[^/.]\.\w+$/.test(text)) === true });
  write(isMethod ? args[0] : args[1]);
};

/** Of an archive that the code opened: what it holds lands in the folder. */
export const unpacks: Rule = ({ args, named, name }, { write }) => {
  const folder = name === "unpack_archive" ? (args[1] ?? named.get("extract_dir")) : (args[0] ?? named.get("path"));
  write(folder ?? texts("."), { below: true });
};
export const inPlace: Rule = ({ args, named }, { write, operands }) => {
  if (named.get("inplace") !== undefined) write(args[0] ?? named.get("files") ?? { fields: operands, isKnown: true });
  return args[0] ?? unknown;
};

/** `symlink(target, place)`; as a method of a path: `place.symlink_to(target)`. */
export const links: Rule = ({ name, receiver, args }, { write, link }) => {
  const isMethod = name.endsWith("_to");
  const [target, place] = isMethod ? [args[0], receiver] : args;
  write(place);
  link(place, target, /sym|_s/.test(name));
};
