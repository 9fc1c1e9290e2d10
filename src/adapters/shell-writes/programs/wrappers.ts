/** Programs that start another one: what they start is read in their place. */
import { type Field, opaque, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { type OptionTerms, readOptions } from "../read-options.ts";
import { inlineCode } from "./inline-code.ts";

const isAssignment = ({ text }: Field): boolean => /^[A-Za-z_]\w*=/.test(text);

/** Options, then `skip` operands of its own, then the other program. */
function wrapper(terms: OptionTerms = {}, skip = 0): Program {
  return (args, { run }) => {
    const { operands } = readOptions(args, { ...terms, stopAtOperand: true });
    const rest = operands.slice(skip);
    run(rest.slice(rest.findIndex((one) => !isAssignment(one))));
  };
}

const env: Program = (args, { run, shell }) => {
  const { operands, value } = readOptions(args, {
    letters: "uCS",
    words: ["unset", "chdir", "split-string"],
    stopAtOperand: true,
  });
  const first = operands.findIndex((one) => !isAssignment(one));
  const folder = value("C", "chdir");
  const whole = value("S", "split-string");
  if (whole !== undefined && whole.unknown === undefined) shell(whole.text);
  if (first !== -1) run(operands.slice(first), folder === undefined ? {} : { cwd: folder });
};

const command: Program = (args, { run }) => {
  const { operands, has } = readOptions(args, { stopAtOperand: true });
  if (!has("v", "V")) run(operands);
};

/** `bash -c 'text' name args…`, `bash <<EOF`; a script in a file is not looked into. */
const shellProgram: Program = (args, { shell, doubt, input }, name) => {
  const { operands, has } = readOptions(args, { letters: "oO", words: ["rcfile", "init-file"], stopAtOperand: true });
  const [first, , ...positional] = operands;
  if (has("c")) {
    if (first === undefined) return;
    if (first.unknown !== undefined) return doubt(first.unknown, `${name} -c`);
    return shell(first.text, positional);
  }
  if (first !== undefined && first.text !== "-" && !has("s"))
    return doubt(first.unknown ?? first.text, "the script is not looked into");
  if (input.text === undefined) return has("version", "help") ? undefined : doubt(name, "its input is not known");
  shell(input.text, has("s") ? operands : []);
};

const su: Program = (args, { shell, doubt }) => {
  const text = readOptions(args, { letters: "cs", words: ["command", "shell"] }).value("c", "command");
  if (text === undefined) return;
  if (text.unknown !== undefined) doubt(text.unknown, "su -c");
  else shell(text.text);
};

const flock: Program = (args, { shell, run }) => {
  const [, ...rest] = readOptions(args, { letters: "wE", words: ["timeout", "wait"], stopAtOperand: true }).operands;
  const [option, text] = rest;
  if (option?.text === "-c" && text !== undefined && text.unknown === undefined) shell(text.text);
  else run(rest);
};

const xargs: Program = (args, { run, input }) => {
  const { operands, value } = readOptions(args, {
    letters: "IadEnLPs",
    words: ["replace", "max-args", "max-procs", "max-lines", "delimiter", "arg-file"],
    stopAtOperand: true,
  });
  const names =
    input.names ?? (input.text === undefined ? [opaque("xargs")] : input.text.split(/\s+/).filter(Boolean).map(plain));
  const mark = value("I", "replace")?.text;
  if (mark === undefined || mark === "") return run([...operands, ...names], { input: {} });
  for (const name of names.slice(0, 200))
    run(
      operands.map((one) => replaced(one, mark, name)),
      { input: {} },
    );
};

function replaced(arg: Field, mark: string, name: Field): Field {
  if (arg.text === mark) return name;
  if (!arg.text.includes(mark)) return arg;
  if (name.unknown !== undefined) return opaque(name.unknown);
  const text = arg.text.replaceAll(mark, () => name.text);
  return name.glob === undefined ? plain(text) : { text, glob: text };
}

const time: Program = (args, doings) => {
  const { operands, value } = readOptions(args, { letters: "fo", words: ["format", "output"], stopAtOperand: true });
  const file = value("o", "output");
  if (file !== undefined) doings.write(file, { why: "time -o" });
  doings.run(operands);
};

/** `npx prettier …`, `pnpm exec eslint …`, `uv run black …` */
export function runner(words: readonly string[]): (args: readonly Field[], doings: Doings) => boolean {
  return (args, { run }) => {
    const { operands } = readOptions(args, { letters: "pcw", words: ["package", "call"], stopAtOperand: true });
    if (words.length > 0 && !words.includes(operands[0]?.text ?? "")) return false;
    const rest = readOptions(operands.slice(words.length > 0 ? 1 : 0), { stopAtOperand: true }).operands;
    const [name, ...others] = rest;
    if (name !== undefined) run([{ ...name, text: name.text.replace(/(?<=.)@[^/]*$/, "") }, ...others]);
    return true;
  };
}

const npx: Program = (args, doings) => void runner([])(args, doings);

export const wrapperPrograms: Readonly<Record<string, Program>> = {
  sudo: wrapper({ letters: "ughpCDRTrt", words: ["user", "group", "chdir"] }),
  doas: wrapper({ letters: "uC" }),
  env,
  nice: wrapper({ letters: "n", words: ["adjustment"] }),
  ionice: wrapper({ letters: "cnp" }),
  nohup: wrapper(),
  setsid: wrapper(),
  stdbuf: wrapper({ letters: "ioe" }),
  unbuffer: wrapper(),
  caffeinate: wrapper({ letters: "tw" }),
  timeout: wrapper({ letters: "sk", words: ["signal", "kill-after"] }, 1),
  gtimeout: wrapper({ letters: "sk", words: ["signal", "kill-after"] }, 1),
  chronic: wrapper(),
  busybox: wrapper(),
  strace: wrapper({ letters: "eopsu" }),
  exec: wrapper({ letters: "a" }),
  builtin: wrapper(),
  command,
  time,
  xargs,
  gxargs: xargs,
  parallel: (_args, { doubt }) => doubt("parallel", "what it runs is not known"),
  watch: (args, { shell }) => {
    const { operands } = readOptions(args, { letters: "n", words: ["interval"], stopAtOperand: true });
    if (operands.every(({ unknown }) => unknown === undefined)) shell(operands.map(({ text }) => text).join(" "));
  },
  flock,
  su,
  npx,
  bunx: npx,
  pnpx: npx,
  uvx: npx,
  ...Object.fromEntries(["bash", "sh", "zsh", "dash", "ksh", "ash"].map((name) => [name, shellProgram])),
  source: (args, { doubt }) => doubt(args[0]?.text ?? "source", "the script is not looked into"),
  ".": (args, { doubt }) => doubt(args[0]?.text ?? ".", "the script is not looked into"),
  ...Object.fromEntries(["python", "python3", "python2", "pypy3"].map((name) => [name, inlineCode("python")])),
  ...Object.fromEntries(["node", "bun", "deno", "tsx", "nodejs"].map((name) => [name, inlineCode("javascript")])),
};
