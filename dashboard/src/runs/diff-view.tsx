/** The changes of a run: files with counts, and the patch with line numbers and signs. */
import { type ReactNode, useMemo } from "react";
import { useLive } from "../live/live-context.tsx";
import { CommandLine } from "../parts/command-line.tsx";
import { Answered } from "../parts/section.tsx";
import { type PatchFile, readPatch } from "./read-patch.ts";

export function DiffView({ id }: { readonly id: string }): ReactNode {
  const answer = useLive("run.diff", { id: id });
  const patch = answer.data?.patch;
  const files = useMemo(() => readPatch(patch ?? ""), [patch]);
  return (
    <Answered answer={answer}>
      {(diff) => (
        <div className="diff">
          {diff.files.length === 0 ? <p className="quiet">It has changed no file.</p> : null}
          <ul aria-label="Changed files">
            {diff.files.map(({ path, kind, added, removed }) => (
              <li key={path}>
                <code>{path}</code>{" "}
                <span className="quiet">
                  {kind}, +{added ?? "unknown"} −{removed ?? "unknown"}
                </span>
              </li>
            ))}
          </ul>
          {files.map((file) => (
            <FilePatch key={file.path} file={file} />
          ))}
          {diff.truncated ? <p className="quiet">The patch is cut; the command shows all of it.</p> : null}
          <CommandLine text={`sylk diff ${id}`} />
        </div>
      )}
    </Answered>
  );
}

const signs = { same: " ", added: "+", removed: "-", gap: "", note: "" } as const;

function FilePatch({ file: { path, lines } }: { readonly file: PatchFile }): ReactNode {
  return (
    <div className="diff-file" tabIndex={0} role="region" aria-label={`Patch of ${path}`}>
      <h3>
        <code>{path}</code>
      </h3>
      <table>
        <tbody>
          {lines.map(({ kind, text, before, after }, place) => (
            <tr key={place} className={kind}>
              <td className="line-number">{kind === "gap" ? "…" : before}</td>
              <td className="line-number">{kind === "gap" ? "" : after}</td>
              <td>
                {signs[kind]} {text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
