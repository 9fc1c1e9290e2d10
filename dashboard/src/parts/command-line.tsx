/** The same in a terminal: a command that a click copies. */
import { type ReactNode, useState } from "react";

export function CommandLine({ text }: { readonly text: string }): ReactNode {
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
      <button type="button" className="small" onClick={copy} aria-label={`Copy the command: ${text}`}>
        {isCopied ? "Copied" : "Copy"}
      </button>
    </span>
  );
}
