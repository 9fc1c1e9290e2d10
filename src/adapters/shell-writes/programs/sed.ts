/** `sed -i`, and the files and commands of its script. */
import { type Field, plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { readOptions } from "../read-options.ts";
import { backup } from "./interpreters.ts";
import { readSedScript } from "./sed-script.ts";

const sedTerms = { letters: "efl", words: ["expression", "file", "line-length"] };

/** GNU: `-i`, `-i.bak`, `--in-place=.bak`. BSD: `-i ''`, `-i .bak`. */
export const sed: Program = (args, doings) => {
  const { write } = doings;
  const at = args.findIndex(({ text }) => /^(?:-[nErsuz]*i|--in-place(?:=|$))/.test(text));
  if (at === -1) return writeOutputs(args, doings);
  const own = args[at]!.text.replace(/^(?:-[nErsuz]*i|--in-place=?)/, "");
  const next = args[at + 1];
  const isBsd = own === "" && next?.unknown === undefined && /^(?:|\.[\w~-]+)$/.test(next?.text ?? "none");
  const { operands, has } = readOptions(args.toSpliced(at, isBsd ? 2 : 1), sedTerms);
  writeOutputs(args.toSpliced(at, isBsd ? 2 : 1), doings);
  const suffix = isBsd ? next!.text : own;
  for (const file of has("e", "f", "expression", "file") ? operands : operands.slice(1)) {
    write(file, { why: "sed -i" });
    if (suffix !== "") write(backup(file, suffix), { why: "sed -i" });
  }
};

function writeOutputs(args: readonly Field[], { write, shell, doubt, read }: Doings): void {
  const { operands, has, values } = readOptions(args, sedTerms);
  const typed = has("e", "f", "expression", "file") ? values("e", "expression") : operands.slice(0, 1);
  for (const { text, unknown } of [...typed, ...values("f", "file").map((file) => fromFile(file, read))]) {
    if (unknown !== undefined && text === "") {
      doubt("sed", `its script ${unknown} is not known`);
      continue;
    }
    const { files, commands, isRunning } = readSedScript(text);
    for (const file of files) write(plain(file), { why: "sed w" });
    for (const command of commands) shell(command);
    if (isRunning) doubt("sed", "its script runs lines of its input");
  }
}

function fromFile(file: Field, read: Doings["read"]): Field {
  const text = read(file);
  return text === undefined ? { text: "", unknown: file.unknown ?? file.text } : plain(text);
}
