/** Programs that start another one: what they start is read in their place. */
import { type Field, opaque, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { type OptionTerms, readOptions } from "../read-options.ts";

const isAssignment = ({ text }: Field): boolean => /^[A-Za-z_]\w*=/.test(text);

/** Options, then `skip` operands of its own, then the other program. */
function wrapper(terms: OptionTerms = {}, skip = 0): Program {
  return (args, { run }) => {
    const { operands } = readOptions(args, { ...terms, stopAtOperand: true });
    const rest = operands.slice(skip);
    run(rest.slice(rest.findIndex((one) => !isAssignment(one))));
  };
}

const env: Program = (all, { run, shell }) => {
  const args = all.filter(({ text }, at) => !(text === "-" && at === 0));
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

/** `bash -c 'text' name args…`, `bash <<EOF`, `bash script args…`. */
const shellProgram: Program = (args, doings, name) => {
  const { shell, doubt, input } = doings;
  const { operands, has } = readOptions(args, { letters: "oO", words: ["rcfile", "init-file"], stopAtOperand: true });
  const [first, , ...positional] = operands;
  if (has("n", "noexec")) return;
  if (has("c")) {
    if (first === undefined) return;
    if (first.unknown !== undefined) return doubt(first.unknown, `${name} -c`);
    return shell(first.text, positional);
  }
  if (first !== undefined && first.text !== "-" && !has("s")) return runScript(first, operands.slice(1), doings);
  if (input.text === undefined) return has("version", "help") ? undefined : doubt(name, "its input is not known");
  shell(input.text, has("s") ? operands : []);
};

/** A small script in a file is read as if it were typed. */
function runScript(file: Field, args: readonly Field[], { read, shell, doubt }: Doings): void {
  const text = read(file);
  if (text === undefined) doubt(file.unknown ?? file.text, "the script is not looked into");
  else shell(text, args);
}

/** In the shell that reads it: its functions and variables stay. */
const source: Program = ([file, ...args], doings) => {
  if (file === undefined) return;
  const text = doings.read(file);
  if (text === undefined) doings.doubt(file.unknown ?? file.text, "the script is not looked into");
  else doings.shell(text, args);
};

/** `script -c 'text' file`, `script file program…`: the file gets all that is printed. */
const script: Program = (args, { shell, write, doubt }) => {
  const { operands, value } = readOptions(args, { letters: "cEoTImOB", words: ["command", "log-out", "log-io"] });
  const text = value("c", "command");
  if (text?.unknown !== undefined) doubt(text.unknown, "script -c");
  else if (text !== undefined) shell(text.text);
  write(operands[0] ?? plain("typescript"));
};

/** `parallel rm ::: a b`; where the names come from its input, they are not known. */
const parallel: Program = (args, { run, input, doubt }) => {
  const at = args.findIndex(({ text }) => /^:::\+?$/.test(text));
  const { operands } = readOptions(at === -1 ? args : args.slice(0, at), {
    letters: "jPnNaS",
    words: ["jobs"],
    stopAtOperand: true,
  });
  const names = at === -1 ? (input.names ?? input.text?.split(/\s+/).filter(Boolean).map(plain)) : args.slice(at + 1);
  if (names === undefined) return doubt("parallel", "its arguments are not known");
  const isMarked = operands.some(({ text }) => text.includes("{}"));
  for (const name of names.slice(0, 200))
    run(isMarked ? operands.map((one) => replaced(one, "{}", name)) : [...operands, name], { input: {} });
};

/** A session of a server that is already running starts it; where that is cannot be seen. */
const tmux: Program = (args, { shell, unknownProgram }) => {
  const last = args.at(-1);
  const isStarting = args.some(({ text }) =>
    /^(?:new|new-session|neww|new-window|splitw|split-window|run|run-shell|send|send-keys)$/.test(text),
  );
  if (!isStarting) return;
  if (last !== undefined && last.unknown === undefined && /\s/.test(last.text)) shell(last.text);
  unknownProgram("tmux");
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

const xargs: Program = (args, { run, input, read }) => {
  const { operands, value } = readOptions(args, {
    letters: "IadEnLPs",
    words: ["replace", "max-args", "max-procs", "max-lines", "delimiter", "arg-file"],
    stopAtOperand: true,
  });
  const file = value("a", "arg-file");
  const listed = file === undefined ? input : { text: read(file) };
  const names =
    listed.names ??
    (listed.text === undefined
      ? [opaque("xargs")]
      : listed.text
          .split(/[\s\0]+/)
          .filter(Boolean)
          .map(plain));
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
    const [name, ...behind] = rest;
    const others = behind[0]?.text === "--" ? behind.slice(1) : behind;
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
  taskset: (args, doings) => {
    const { operands, has } = readOptions(args, { letters: "p", stopAtOperand: true });
    if (!has("p", "pid")) doings.run(operands.slice(1));
  },
  chrt: wrapper({ letters: "TPD" }, 1),
  unshare: wrapper({ letters: "SGRw", words: ["root", "wd", "setuid", "setgid"] }),
  nsenter: wrapper({ letters: "tSGrw", words: ["target", "setuid", "setgid"] }),
  setpriv: wrapper({ words: ["reuid", "regid", "groups", "inh-caps", "bounding-set"] }),
  fakeroot: wrapper(),
  proot: wrapper({ letters: "rbw" }),
  catchsegv: wrapper(),
  eatmydata: wrapper(),
  prlimit: wrapper({}),
  numactl: wrapper({ letters: "NmCpi" }),
  choom: wrapper({ letters: "n" }),
  "systemd-run": wrapper({
    letters: "pEuHMDt",
    words: ["unit", "property", "setenv", "working-directory", "uid", "gid"],
  }),
  "dbus-run-session": wrapper(),
  "xvfb-run": wrapper({ letters: "efnps" }),
  sg: (args, { shell }) => {
    const text = args.at(-1);
    if (text !== undefined && text.unknown === undefined && args.length > 1) shell(text.text);
  },
  script,
  tmux,
  screen: tmux,
  ltrace: wrapper({ letters: "eopsu" }),
  valgrind: wrapper(),
  hyperfine: (args, { shell }) => {
    for (const { text, unknown } of readOptions(args, { letters: "wrmMpsnN" }).operands)
      if (unknown === undefined) shell(text);
  },
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
  parallel,
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
  source,
  ".": source,
};
