/** tmux and screen: the commands that they start in their sessions, and the files that they save. */
import { type Field, mapped } from "../field.ts";
import type { Doings, Program } from "../program.ts";
import { readOptions } from "../read-options.ts";

/** A session of a server that is already running starts it; where that is cannot be seen. */
const tmux: Program = (args, doings, name) => {
  const { operands } = readOptions(args, { letters: "LSfcT", stopAtOperand: true });
  const ends = [...operands.keys()].filter((at) => /(?:^|[^\\]);$/.test(operands[at]!.text));
  const starts = [0, ...ends.map((at) => at + 1)];
  for (const [index, from] of starts.entries())
    runInTmux(operands.slice(from, ends[index] === undefined ? undefined : ends[index] + 1), doings, name);
};

const tmuxReading =
  /^(?:ls|lsw|lsp|lsk|lsb|lscm|lsc|list-\w+|has|has-session|info|server-info|show\w*|show-\w+|capturep|capture-pane|display\w*|display-\w+|kill-\w+|killp|killw|select\w*|select-\w+|attach\w*|attach-session|a|at|detach\w*|detach-client|switchc|switch-client|rename\w*|rename-\w+|resize\w*|resize-\w+|set|setw|set-option|set-window-option|set-environment|setenv|start|start-server|setb|set-buffer|loadb|load-buffer|deleteb|delete-buffer|wait|wait-for|clearhist|clear-history|refresh\w*|refresh-client|lastp|last-pane|next\w*|next-\w+|prev\w*|previous-\w+)$/;

function runInTmux(words: readonly Field[], { write, shell, unknownProgram }: Doings, name: string): void {
  const [action, ...args] = words.map((one) => mapped(one, (text) => text.replace(/;$/, "")));
  if (action === undefined || action.text === "" || tmuxReading.test(action.text)) return;
  if (/^save(?:b|-buffer)$/.test(action.text)) {
    const [file] = readOptions(args, { letters: "b" }).operands;
    return file === undefined || file.text === "-" ? undefined : write(file);
  }
  const last = args.at(-1);
  if (last !== undefined && last.unknown === undefined && /\s/.test(last.text)) shell(last.text);
  unknownProgram(
    /^(?:new|new-\w+|neww|splitw|split-window|run|run-shell|send|send-keys)$/.test(action.text)
      ? name
      : `${name} ${action.text}`,
  );
}

/** `screen -dmS name program…`; what it tells a session by `-X` is not known. */
const screen: Program = (args, { run, unknownProgram }, name) => {
  const { operands, has } = readOptions(args, { letters: "ScTtshpe", words: [], stopAtOperand: true });
  if (has("ls", "l", "list", "v", "wipe") && operands.length === 0) return;
  if (operands.length > 0 && !has("X")) run(operands);
  unknownProgram(name);
};

export const multiplexers: Readonly<Record<string, Program>> = { tmux, screen };
