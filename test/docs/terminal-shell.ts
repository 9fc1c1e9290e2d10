/**
 * A shell on a terminal of its own (util-linux `script`), typed into as a person does: a command after the prompt, an
 * answer after the question.
 *
 *   type(command) -> the kernel's echo, what it prints -> the next prompt, which carries the exit code unseen
 */
import { startProcess } from "../flows/run-sylk.ts";
import { until } from "../flows/until.ts";

export type Answer = { readonly question: string; readonly answer: string };
export type TerminalShell = AsyncDisposable & {
  /** One line; its exit code, and what the terminal got between its echo and the next prompt. */
  type(command: string, answers?: readonly Answer[]): Promise<{ readonly exitCode: number; readonly output: string }>;
  /** Everything since the first prompt. */
  output(): string;
};
type Options = { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly columns?: number };

const patience = { withinMs: 120_000 };
/** How shells tell terminals where a command ended (OSC 133); nothing of it is seen. */
const ended = /\u001b\]133;D;(\d+)\u0007/g;
const rows = 60;

export async function openTerminalShell({ cwd, env, columns = 80 }: Options): Promise<TerminalShell> {
  const command = `stty cols ${columns} rows ${rows}; exec bash --noprofile --norc --noediting -i`;
  const {
    child,
    output,
    ended: closed,
  } = startProcess("script", ["-q", "-e", "-f", "-c", command, "/dev/null"], {
    env: {
      ...env,
      SHELL: "/bin/sh",
      TERM: "xterm-256color",
      HISTFILE: "",
      PS1: String.raw`\e]133;D;$?\a$ `,
      PS2: "> ",
    },
    cwd,
    input: "pipe",
  });
  const prompts = (): readonly RegExpMatchArray[] => [...output().matchAll(ended)];
  await until("the shell has its first prompt", () => prompts().length > 0 && output().endsWith("$ "), patience);
  const begin = prompts()[0]!.index;
  return {
    output: () => output().slice(begin),
    async type(line, answers = []) {
      const before = prompts().length;
      const from = output().length;
      const printed = (): string => output().slice(from);
      child.stdin!.write(`${line}\n`);
      let asked = 0;
      for (const { question, answer } of answers) {
        const found = (): number => printed().indexOf(question, asked);
        await until(
          `"${line}" asks "${question}": ${printed()}`,
          () => found() >= 0 || prompts().length > before,
          patience,
        );
        if (found() < 0) throw new Error(`"${line}" never asks "${question}": ${printed()}`);
        asked = found() + question.length;
        child.stdin!.write(`${answer}\n`);
      }
      const prompt = await until(`"${line}" ends`, () => output().endsWith("$ ") && prompts()[before], patience).catch(
        (cause: unknown) => {
          throw new Error(`"${line}" does not end; so far: ${printed()}`, { cause });
        },
      );
      return { exitCode: Number(prompt[1]), output: output().slice(from + `${line}\r\n`.length, prompt.index) };
    },
    async [Symbol.asyncDispose]() {
      // Not asked to leave: a command that waits for an answer would take the word for one. Its terminal closes with it.
      child.kill("SIGKILL");
      await closed;
    },
  };
}
