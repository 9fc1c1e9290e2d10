/** Programs that start another one: what they start is read in their place. */
import { type Field, opaque, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { type OptionTerms, readOptions } from "../read-options.ts";
import { multiplexers } from "./multiplexers.ts";

const isAssignment = ({ text }: Field): boolean => /^[A-Za-z_]\w*=/.test(text);

/** Options, then `skip` operands of its own, then the other program. */
function wrapper(terms: OptionTerms & { readonly out?: readonly string[] } = {}, skip = 0): Program {
  return (args, { run, write }) => {
    const { operands, values } = readOptions(args, { ...terms, stopAtOperand: true });
    for (const file of values(...(terms.out ?? []))) write(file);
    const rest = operands.slice(skip);
    const at = rest.findIndex((one) => !isAssignment(one));
    if (at !== -1) run(rest.slice(at), { assignments: rest.slice(0, at) });
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
  const assignments = operands.slice(0, first === -1 ? undefined : first);
  if (first !== -1) run(operands.slice(first), { assignments, ...(folder === undefined ? {} : { cwd: folder }) });
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
  const { operands, value, values } = readOptions(args, {
    letters: "cEoTImOB",
    words: ["command", "log-out", "log-io", "log-in", "log-timing", "output-limit"],
  });
  const logs = values("O", "B", "I", "T", "log-out", "log-io", "log-in", "log-timing");
  for (const file of logs) write(file);
  const text = value("c", "command");
  if (text?.unknown !== undefined) doubt(text.unknown, "script -c");
  else if (text !== undefined) shell(text.text);
  if (operands[0] !== undefined || logs.length === 0) write(operands[0] ?? plain("typescript"));
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
  const [only] = operands;
  if (operands.length === 1 && only!.unknown === undefined && /\s/.test(only!.text)) {
    for (const name of names.slice(0, 200))
      run(
        [plain("sh"), plain("-c"), replaced(only!.text.includes("{}") ? only! : plain(`${only!.text} {}`), "{}", name)],
        { input: {} },
      );
    return;
  }
  const isMarked = operands.some(({ text }) => text.includes("{}"));
  for (const name of names.slice(0, 200))
    run(isMarked ? operands.map((one) => replaced(one, "{}", name)) : [...operands, name], { input: {} });
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

/** `mise exec -- rm a`: the program stands behind the dashes. */
function runBehindDashes(args: readonly Field[], { run, unknownProgram }: Doings, name: string): void {
  const at = args.findIndex(({ text }) => text === "--" || text === "-c" || text === "--command");
  if (at !== -1) run(args.slice(at + 1));
  unknownProgram(name);
}

/** `bwrap --ro-bind / / --dev /dev rm a`: options take one or two values. */
function behindBinds(args: readonly Field[]): readonly Field[] {
  const two = /^--(?:(?:dev-|ro-)?bind(?:-try|-data|-fd)?|symlink|file|setenv|ro-bind-data|overlay-src|chmod|overlay)$/;
  const one =
    /^--(?:proc|dev|tmpfs|dir|chdir|unsetenv|hostname|uid|gid|args|userns|pidns|seccomp|exec-label|file-label|cap-add|cap-drop|perms|size|mqueue|lock-file|sync-fd|info-fd|remount-ro)$/;
  let at = 0;
  while (at < args.length && args[at]!.text.startsWith("--")) {
    const { text } = args[at]!;
    at += text === "--" ? 1 : two.test(text) ? 3 : one.test(text) ? 2 : 1;
    if (text === "--") break;
  }
  return args.slice(at);
}

/** `npx prettier …`, `pnpm exec eslint …`, `uv run black …` */
export function runner(words: readonly string[]): (args: readonly Field[], doings: Doings) => boolean {
  return (args, { run, shell }) => {
    const terms = { letters: "pcw", words: ["package", "call", "workspace"], stopAtOperand: true };
    const { operands, value } = readOptions(args, terms);
    if (words.length > 0 && !words.includes(operands[0]?.text ?? "")) return false;
    const behindWord = words.length > 0 ? readOptions(operands.slice(1), terms) : undefined;
    const text = behindWord?.value("c", "call") ?? value("c", "call");
    if (text !== undefined && text.unknown === undefined) shell(text.text);
    const rest = behindWord === undefined ? operands : behindWord.operands;
    const [name, ...behind] = rest;
    const others = behind[0]?.text === "--" ? behind.slice(1) : behind;
    // `@biomejs/biome@2` starts biome.
    const program = name?.text.replace(/(?<=.)@[^/]*$/, "").replace(/^@[^/]+\//, "");
    if (name !== undefined) run([{ ...name, text: program! }, ...others]);
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
  ...multiplexers,
  ltrace: wrapper({ letters: "eopsu", out: ["o"] }),
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
  strace: wrapper({ letters: "eopsuPaIbOSE", words: ["output", "trace"], out: ["o", "output"] }),
  setarch: (args, { run }) => {
    const { operands } = readOptions(args, { words: ["pers"], stopAtOperand: true });
    run(
      operands.slice(
        /^(?:linux32|linux64|i[3-6]86|x86_64|amd64|aarch64|arm\w*|uname26|ppc\w*|s390x?)$/.test(operands[0]?.text ?? "")
          ? 1
          : 0,
      ),
    );
  },
  linux32: wrapper(),
  linux64: wrapper(),
  bwrap: (args, { run }) => run(behindBinds(args)),
  firejail: wrapper({}),
  perf: (args, doings) => {
    const { operands, value } = readOptions(args.slice(1), {
      letters: "oeFcp",
      words: ["output", "event"],
      stopAtOperand: true,
    });
    const out = value("o", "output");
    if (out !== undefined) doings.write(out);
    if (/^(?:stat|record|trace)$/.test(args[0]?.text ?? "") && operands.length > 0) doings.run(operands);
  },
  rlwrap: wrapper({ letters: "aABcCdDefFghHilmMnNoOpPqrRsStTUvVwzI" }),
  cgexec: wrapper({ letters: "g" }),
  cpulimit: wrapper({ letters: "lpe" }),
  trickle: wrapper({ letters: "du" }),
  torsocks: wrapper(),
  proxychains: wrapper({ letters: "f" }),
  proxychains4: wrapper({ letters: "f" }),
  faketime: wrapper({ letters: "f" }, 1),
  chroot: (args, doings) => {
    const { operands } = readOptions(args, { words: ["userspec", "groups"], stopAtOperand: true });
    if (operands[0]?.text === "/") doings.run(operands.slice(1));
    else doings.unknownProgram("chroot");
  },
  runuser: (args, doings) => {
    const { operands, value } = readOptions(args, {
      letters: "ucgGs",
      words: ["user", "command", "group"],
      stopAtOperand: true,
    });
    const text = value("c", "command");
    if (text !== undefined && text.unknown === undefined) doings.shell(text.text);
    else doings.run(operands);
  },
  direnv: (args, doings) => (args[0]?.text === "exec" ? doings.run(args.slice(2)) : undefined),
  mise: (args, doings) => runBehindDashes(args, doings, "mise"),
  asdf: (args, doings) => (args[0]?.text === "exec" ? doings.run(args.slice(1)) : doings.unknownProgram("asdf")),
  rbenv: (args, doings) => (args[0]?.text === "exec" ? doings.run(args.slice(1)) : undefined),
  pyenv: (args, doings) => (args[0]?.text === "exec" ? doings.run(args.slice(1)) : undefined),
  nix: (args, doings) => runBehindDashes(args, doings, "nix"),
  "nix-shell": (args, { shell, unknownProgram }) => {
    const text = readOptions(args, { letters: "pI", words: ["run", "command"] }).value("run", "command");
    if (text === undefined || text.unknown !== undefined) unknownProgram("nix-shell");
    else shell(text.text);
  },
  dotenv: (args, doings) => runBehindDashes(args, doings, "dotenv"),
  "cross-env": wrapper(),
  "env-cmd": (args, { run }) => run(readOptions(args, { letters: "fe", stopAtOperand: true }).operands),
  concurrently: (args, { shell }) => {
    for (const { text, unknown } of readOptions(args, { letters: "nc" }).operands)
      if (unknown === undefined) shell(text);
  },
  nodemon: (args, doings) => {
    const text = readOptions(args, { letters: "xew", words: ["exec", "ext", "watch"] }).value("x", "exec");
    if (text !== undefined && text.unknown === undefined) doings.shell(text.text);
    doings.unknownProgram("nodemon");
  },
  entr: wrapper(),
  at: (args, { input, shell, write, unknownProgram }) => {
    if (input.text !== undefined) shell(input.text);
    void args;
    void write;
    unknownProgram("at");
  },
  ssh: (args, { shell, doubt }) => {
    const { operands } = readOptions(args, { letters: "BbcDEeFIiJLlmOopQRSWw", stopAtOperand: true });
    const [host, ...words] = operands;
    if (!/^(?:[^@]*@)?(?:localhost|127\.0\.0\.1|::1)$/.test(host?.text ?? "")) return;
    if (words.some(({ unknown }) => unknown !== undefined)) doubt("ssh", "its command is not known");
    else shell(words.map(({ text }) => text).join(" "));
  },
  ifne: wrapper(),
  pee: (args, { shell }) => {
    for (const { text, unknown } of args) if (unknown === undefined) shell(text);
  },
  gdb: (args, { shell, unknownProgram }) => {
    for (const { text } of args) if (/^(?:shell|!|python)\s/.test(text)) shell(text.replace(/^(?:shell|!)\s*/, ""));
    unknownProgram("gdb");
  },
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
