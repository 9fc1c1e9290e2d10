/** `sqlite3 file "…"`: the database is written, and its dot commands name further files. */
import { plain } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { readOptions } from "../read-options.ts";

export const sqlite: Program = (args, doings, name) => {
  const single = args.map((arg) => (/^-[a-z]{2,}$/.test(arg.text) ? { ...arg, text: `-${arg.text}` } : arg));
  const { operands, values, has } = readOptions(single, {
    words: ["cmd", "init", "separator", "newline", "nullvalue", "vfs", "mmap"],
  });
  if (has("version", "help")) return;
  const [database, ...statements] = operands;
  const typed = statements.length === 0 && doings.input.text !== undefined ? [plain(doings.input.text)] : [];
  const texts = [...values("cmd"), ...statements, ...typed];
  if (texts.length === 0 || texts.some(({ unknown }) => unknown !== undefined))
    doings.doubt(name, "its statements are not known");
  for (const { text } of texts) for (const line of text.split("\n")) readStatement(line.trim(), doings, name);
  const isChanging = texts.some(({ text }) =>
    /\b(?:insert|update|delete|create|drop|alter|replace|vacuum|pragma\s+\w+\s*=|attach|begin)\b/i.test(text),
  );
  if (database !== undefined && isChanging && !has("readonly") && !/^(?::memory:|)$/.test(database.text))
    doings.write(database);
};

type Effects = Pick<Doings, "write" | "shell" | "doubt" | "read">;

function readStatement(line: string, { write, shell, doubt, read }: Effects, name: string): void {
  for (const [, file = ""] of line.matchAll(/\b(?:writefile|load_extension)\s*\(\s*'((?:[^']|'')*)'/gi))
    write(plain(file));
  for (const [, file = ""] of line.matchAll(/\b(?:attach(?:\s+database)?|vacuum\s+into)\s+'([^']+)'/gi))
    write(plain(file));
  const [, command = "", rest = ""] = /^\.(\w+)\s*(.*)$/s.exec(line) ?? [];
  const file =
    rest
      .replaceAll(/^(?:--?\w+\s+)+|["']/g, "")
      .trim()
      .split(/\s+/)
      .at(-1) ?? "";
  if (/^(?:output|once|log|backup|save|clone|excel|trace|open|session|archive|ar|iotrace)$/.test(command)) {
    if (rest.startsWith("|")) shell(rest.slice(1));
    else if (file !== "" && !/^(?:stdout|stderr|off|on)$/.test(file)) write(plain(file));
  } else if (/^(?:shell|system)$/.test(command)) shell(rest);
  else if (command === "read") {
    const text = read(plain(file));
    if (text === undefined) doubt(name, "its statements are not known");
    else
      for (const one of text.split("\n").slice(0, 200))
        if (one.trim() !== line) readStatement(one.trim(), { write, shell, doubt, read: () => undefined }, name);
  } else if (/^(?:load|import)$/.test(command) && rest.includes("|")) shell(rest.slice(rest.indexOf("|") + 1));
}

/** Of servers: files that a statement names are on this machine where the server is. */
export const sqlClient: Program = (args, { write, input, unknownProgram, shell }, name) => {
  const { values, has } = readOptions(args, {
    letters: "ceofLdhUpuP",
    words: ["command", "execute", "output", "file", "log-file", "tee", "host", "user"],
  });
  if (has("version", "help")) return;
  for (const file of values("o", "output", "L", "log-file", "tee")) write(file);
  for (const text of [...values("c", "e", "command", "execute").map((one) => one.text), input.text ?? ""]) {
    for (const [, file = ""] of text.matchAll(/(?:into\s+outfile|\bto|\\o|\\out|\\g|tee)\s+'?([\w./-]+\.\w+)'?/gi))
      write(plain(file));
    for (const [, command = ""] of text.matchAll(/(?:\\!|system)\s+(.+)$/gm)) shell(command);
  }
  unknownProgram(name);
};
