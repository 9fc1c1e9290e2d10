/** `find … -delete`, `find … -exec`, and the names it prints. */
import { asGlob, type Field, opaque, pattern, plain } from "../field.ts";
import type { Program } from "../program.ts";

const actions = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
/** Tests that only choose among what the others let through: the glob stays a true upper bound for these kinds. */
const harmless = new Map([
  ["-type", 1],
  ["-mindepth", 1],
  ["-print", 0],
  ["-print0", 0],
  ["-depth", 0],
  ["-follow", 0],
  ["-xdev", 0],
  ["-L", 0],
  ["-H", 0],
  ["-P", 0],
  ["-delete", 0],
]);

/** Which files it finds, as globs: an upper bound, since tests only choose. Unknown where a root is. */
export function foundNames(args: readonly Field[]): readonly Field[] {
  const start = args.findIndex(({ text }) => /^-(?![LHP]$)|^[!(]$/.test(text));
  const roots = (start === -1 ? args : args.slice(0, start)).filter(({ text }) => !/^-[LHP]$/.test(text));
  const tests = start === -1 ? [] : args.slice(start);
  const names = readTests(tests) ?? "**";
  if (roots.some(({ unknown }) => unknown !== undefined)) return [opaque("find")];
  return (roots.length === 0 ? [plain(".")] : roots).map((root) =>
    pattern(`${asGlob(root).replace(/\/+$/, "")}/${names}`),
  );
}

function readTests(tests: readonly Field[]): string | undefined {
  let name = "*";
  let isShallow = false;
  for (let at = 0; at < tests.length; at++) {
    const { text } = tests[at]!;
    const value = tests[at + 1];
    if (actions.has(text)) at = endOfAction(tests, at);
    else if (text === "-name" && name === "*" && value?.unknown === undefined) {
      name = value?.text ?? "*";
      at++;
    } else if (text === "-maxdepth" && value?.text === "1") {
      isShallow = true;
      at++;
    } else if (harmless.has(text)) at += harmless.get(text)!;
    else return undefined;
  }
  if (isShallow) return name;
  return name === "*" ? "**" : `**/${name}`;
}

function endOfAction(tests: readonly Field[], from: number): number {
  for (let at = from + 1; at < tests.length; at++) {
    const { text } = tests[at]!;
    if (text === ";" || (text === "+" && tests[at - 1]!.text === "{}")) return at;
  }
  return tests.length;
}

/** Tests that let links through, or follow them: the file that is written has another name. */
const linked = /^-(?:lname|ilname|xtype|samefile|inum|links)$/;

function findsLinks(args: readonly Field[]): boolean {
  return args.some(({ text }, at) => linked.test(text) || (text === "-type" && /l/.test(args[at + 1]?.text ?? "")));
}

export const find: Program = (args, { write, run, doubt }) => {
  const names = foundNames(args);
  if (findsLinks(args) && args.some(({ text }) => actions.has(text)))
    doubt("find", "where the links lead that it finds is not known");
  for (const [at, { text }] of args.entries()) {
    if (text === "-delete") for (const name of names) write(name, { why: "find -delete" });
    if (
      (text === "-fprint" || text === "-fprintf" || text === "-fls" || text === "-fprint0") &&
      args[at + 1] !== undefined
    )
      write(args[at + 1]!, { why: `find ${text}` });
    if (!actions.has(text)) continue;
    const command = args.slice(at + 1, endOfAction(args, at));
    run(
      command.flatMap((arg) =>
        arg.text === "{}" ? names : arg.text.includes("{}") ? [substituted(arg, names)] : [arg],
      ),
      { input: {} },
    );
  }
};

function substituted(arg: Field, names: readonly Field[]): Field {
  const [only] = names;
  if (names.length !== 1 || only === undefined || only.unknown !== undefined) return opaque(arg.text);
  return pattern(arg.text.replaceAll("{}", () => asGlob(only)));
}
