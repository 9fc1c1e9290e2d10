/** `vim -es`, `ex`, `ed`, `emacs --batch`: the commands that they are given say whether, and what, they write. */
import { escapeGlob, type Field, pattern, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { readOptions } from "../read-options.ts";

type Script = {
  readonly writes: boolean;
  readonly files: readonly string[];
  readonly shells: readonly string[];
  readonly isKnown: boolean;
};

/** Commands of ex that change the buffer, the screen or the session, and no file. */
const quiet =
  /^(?:p|P|print|l|list|nu|number|#|=|q|qa|qall|quit|cq|se|set|setlocal|let|sy|syntax|filetype|noh|nohlsearch|s|substitute|&|g|global|v|vglobal|d|delete|j|join|m|move|t|co|copy|y|yank|pu|put|k|ma|mark|norm|normal|>|<|a|i|c|append|insert|change|echo|echom|sil|silent|undo|u|redo|red|e|edit|r|read|n|next|N|prev|b|bn|bp|ls|f|file|sort|retab|ret|%|\.|\$|H|h|help|match|hi|colorscheme|au|autocmd|bufdo|argdo|windo|tabdo|exe|execute|call|if|endif|for|endfor|ve|version)?$/;

function readCommands(lines: readonly string[]): Script {
  const found = { writes: false, files: [] as string[], shells: [] as string[], isKnown: true };
  // A bar ends a command, unless a pattern or a command of the shell holds it.
  for (const line of lines.flatMap((one) => one.split("\n")))
    for (const part of /^\W*(?:s|g|v|r)?\s*[!/]/.test(line) ? [line, ...line.split("|").slice(1)] : line.split("|"))
      readCommand(part, found);
  return found;
}

type Collected = { writes: boolean; files: string[]; shells: string[]; isKnown: boolean };

/** A range, then a name, then its rest: `1,$w! copy.ts`, `g/x/d`, `r !date`. */
function readCommand(line: string, found: Collected): void {
  const text = line
    .trim()
    .replace(/^:+/, "")
    .replace(/^(?:sil(?:ent)?!?\s+)+/, "");
  const body = text.replace(/^(?:[\d.,;$%+\-\s]|'\w|\/(?:[^/\\]|\\.)*\/|\?(?:[^?\\]|\\.)*\?)*/, "");
  if (body.startsWith("!")) return void found.shells.push(body.slice(1));
  const [, name = "", bang = "", rest = ""] = /^([a-zA-Z]+|[&#=<>])?(!?)\s*(.*)$/s.exec(body) ?? [];
  const isWrite =
    /^(?:w|wr|write|wq|x|xit|exit|up|update|wn|wa|wall|wqa|wqall|xa|xall|sav|saveas|W|Wq|mks|mksession|mkexrc|mkview)$/.test(
      name,
    );
  if (isWrite && rest.startsWith("!") && bang === "") found.shells.push(rest.slice(1));
  else if (isWrite && rest !== "")
    found.files.push(
      rest
        .replace(/^>>\s*/, "")
        .split(" | ")[0]!
        .trim(),
    );
  else if (isWrite) found.writes = true;
  else if (/^(?:r|read)$/.test(name) && rest.startsWith("!")) found.shells.push(rest.slice(1));
  else if (/^(?:norm|normal)$/.test(name)) {
    if (/ZZ/.test(rest)) found.writes = true;
    if (/:w|:x|:!/.test(rest)) found.isKnown = false;
  } else if (/^(?:g|global|v|vglobal|bufdo|argdo|windo|tabdo)$/.test(name)) {
    const inner = /^(?:\/(?:[^/\\]|\\.)*\/)?\s*(.*)$/s.exec(rest)?.[1] ?? "";
    if (inner !== "" && inner !== rest + "!") for (const part of inner.split(/\s*\|\s*/)) readCommand(part, found);
  } else if (/^(?:so|source|py|py3|python|python3|perl|ruby|lua|luafile|pyfile|term|terminal|make|gr|grep)$/.test(name))
    found.isKnown = false;
  else if (
    /^(?:call|let|exe|execute|echo)$/.test(name) &&
    /writefile|system|delete|rename|execute|mkdir|setfperm/.test(rest)
  ) {
    const literals = [...rest.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(([, one, other]) => one ?? other ?? "");
    if (/\bsystem(?:list)?\s*\(/.test(rest)) found.shells.push(...literals);
    else found.files.push(...literals.slice(/writefile/.test(rest) ? -1 : 0));
    if (literals.length === 0) found.isKnown = false;
  } else if (!quiet.test(name)) found.isKnown = false;
}

function follow(script: Script, files: readonly Field[], { write, shell, doubt }: Doings, name: string): void {
  for (const text of script.shells) shell(text);
  for (const text of script.files) if (text !== "%") write(plain(text));
  if (script.writes) for (const file of files) write(file);
  if (script.isKnown) return;
  doubt(name, "its commands are not known");
  for (const file of files)
    if (file.unknown === undefined) write(file.glob === undefined ? pattern(escapeGlob(file.text)) : file);
}

/** Without a script an editor waits for a person, who may write. */
const vim: Program = (args, doings, name) => {
  if (args.some(({ text }) => text === "--version" || text === "--help" || text === "-h")) return;
  const given = args.filter(({ text }) => text.startsWith("+")).map(({ text }) => text.slice(1));
  const own = args.filter(({ text }) => !text.startsWith("+"));
  const { operands, values, has } = readOptions(own, {
    letters: "cSuUiTwWr",
    words: ["cmd", "servername", "remote-send"],
  });
  const files = operands.filter(({ text }) => text !== "-");
  const isSilent = has("s", "e") || name === "ex";
  const typed = isSilent && doings.input.text !== undefined ? [doings.input.text] : [];
  const sourced = values("S").map((file) => doings.read(file));
  const asked = values("c", "cmd");
  if (asked.some(({ unknown }) => unknown !== undefined) || sourced.includes(undefined))
    doings.doubt(name, "its commands are not known");
  const commands = [...given, ...asked.map(({ text }) => text), ...sourced.flatMap((text) => text ?? []), ...typed];
  if (commands.length > 0) return follow(readCommands(commands), files, doings, name);
  for (const file of files) doings.write(file);
  if (files.length === 0 || isSilent) doings.unknownProgram(name);
};

/** `ed -s file <<< '…'`: `w` writes the file that it was given. */
const ed: Program = (args, doings, name) => {
  const { operands } = readOptions(args, { letters: "p" });
  if (doings.input.text !== undefined) return follow(readCommands([doings.input.text]), operands, doings, name);
  for (const file of operands) doings.write(file);
  doings.unknownProgram(name);
};

/** Lisp that saves, writes or starts something; its files are those that it visits. */
const emacs: Program = (args, doings, name) => {
  if (args.some(({ text }) => /^--?(?:version|help)$/.test(text))) return;
  const { operands, values, has } = readOptions(
    args.map((arg) => (/^-(?:batch|eval|load|funcall)$/.test(arg.text) ? { ...arg, text: `-${arg.text}` } : arg)),
    { letters: "lf", words: ["eval", "load", "funcall", "visit", "file", "directory", "execute"] },
  );
  const files = [...operands, ...values("visit", "file")];
  const lisp = values("eval", "execute")
    .map(({ text }) => text)
    .join("\n");
  const strings = [...lisp.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text);
  for (const [, text = ""] of lisp.matchAll(/\(shell-command(?:-to-string)?\s+"((?:[^"\\]|\\.)*)"/g))
    doings.shell(text);
  const isWriting =
    !/^\s*\((?:message|print|princ|prin1)\b[^()]*\)\s*$/.test(lisp) &&
    /\S/.test(
      lisp +
        values("f", "funcall")
          .map(({ text }) => text)
          .join(" "),
    );
  for (const file of files) if (isWriting || !has("batch")) doings.write(file);
  if (isWriting) for (const text of strings) if (/[/.]/.test(text) && !/\s/.test(text)) doings.write(plain(text));
  if (has("l", "load") || !has("batch") || isWriting || has("f", "funcall")) doings.unknownProgram(name);
};

const typed: Program = (args, { write, unknownProgram }, name) => {
  const { operands } = readOptions(
    args.filter(({ text }) => !text.startsWith("+")),
    { letters: "ToQrSY" },
  );
  for (const file of operands) write(file);
  if (operands.length === 0) unknownProgram(name);
};

export const editors: Readonly<Record<string, Program>> = {
  ...Object.fromEntries(["vim", "vi", "nvim", "gvim", "ex", "view", "vimdiff", "rvim"].map((name) => [name, vim])),
  ed,
  red: ed,
  emacs,
  ...Object.fromEntries(["nano", "micro", "pico", "joe", "hx", "helix", "kak", "mcedit"].map((name) => [name, typed])),
};
