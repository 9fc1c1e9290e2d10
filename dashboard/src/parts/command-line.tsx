/** The same in a terminal: a command that a click copies. */
import { type ReactNode, useState } from "react";

type CommandLineProps = {
  readonly text: string;
  /** What is copied, where it is not a command. */
  readonly what?: string;
};

export function CommandLine({ text, what = "the command" }: CommandLineProps): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false), // the text can still be selected by hand
    );
  };
  return (
    <span className="command-line">
      <code>{text}</code>
      <button
        type="button"
        className="small"
        onClick={copy}
        aria-label={`${isCopied ? "Copied" : "Copy"} ${what}: ${text}`}
      >
        {isCopied ? "Copied" : "Copy"}
      </button>
    </span>
  );
}
