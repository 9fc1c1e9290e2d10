/** Commands of a Tcl script that write files or start programs; others of its own words do neither. */
import { plain } from "../field.ts";
import type { Doings } from "../program.ts";

const harmless = new Set(
  "set puts if else elseif while for foreach proc return expr incr append lappend lindex list llength split join string regexp regsub format close gets read eof package catch error global upvar exit switch break continue array dict lsort lrange lreverse clock glob pwd after seek tell flush fconfigure unset".split(
    " ",
  ),
);

export function readTcl(text: string, { write, run, doubt }: Doings, name: string): void {
  for (const [, line = ""] of text.matchAll(/(?:^|[;\n[{])\s*([^;\n[\]{}#][^;\n[\]{}]*)/g)) {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare = ""]) => quoted ?? bare);
    const [command = "", ...args] = words;
    const isOpen = args.some((arg) => arg.includes("$"));
    if (command === "exec" || command === "spawn") run(args.map(plain), { input: {} });
    else if (command === "file" && /^(?:delete|rename|copy|mkdir|link|attributes|mtime)$/.test(args[0] ?? ""))
      for (const path of args.slice(1)) if (!path.startsWith("-")) write(plain(path), { why: `code of ${name}` });
    if (command === "open" && /[wa+]/.test(args[1] ?? "")) write(plain(args[0]!), { why: `code of ${name}` });
    const isUnknown =
      !harmless.has(command) &&
      !["exec", "spawn", "file", "open", "expect", "interact", "send"].includes(command) &&
      /^[a-z]\w*$/.test(command);
    if (isUnknown || (isOpen && ["exec", "file", "open"].includes(command)))
      doubt(name, "a file its code writes is not known");
  }
}
