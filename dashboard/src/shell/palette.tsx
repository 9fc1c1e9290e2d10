/** The command palette (Ctrl-K or ⌘-K): every page, project, agent and run by a few letters. */
import { Combobox, ComboboxItem, ComboboxList, ComboboxProvider, Dialog } from "@ariakit/react";
import { type KeyboardEvent, type ReactNode, useDeferredValue, useMemo, useRef, useState } from "react";
import { useLive } from "../live/live-context.tsx";
import { findCommands, type PaletteCommand } from "./find-commands.ts";
import { pageEntries } from "./page-names.ts";
import { applyTheme, themes } from "./theme.ts";
import { useProjects } from "./use-project.ts";
import { goTo, useRoute } from "./use-route.tsx";

const none: readonly PaletteCommand[] = [];

export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState("");
  const commands = useCommands();
  const { shown, more } = useMemo(() => findCommands(commands, text), [commands, text]);
  const drawn = useDeferredValue(shown, none); // the field is there first
  const typed = useRef("");
  const hasMoved = useRef(false);
  const choose = (command: PaletteCommand): void => {
    onClose();
    command.run();
  };
  /** Without a move in the list, Enter means what is typed: the list that is drawn may be that of fewer letters. */
  const onKeyDown = (pressed: KeyboardEvent<HTMLInputElement>): void => {
    if (/^(?:Arrow|Page|Home|End)/.test(pressed.key)) hasMoved.current = true;
    else if (pressed.key.length === 1 || pressed.key === "Backspace") hasMoved.current = false;
    if (pressed.key !== "Enter" || hasMoved.current || pressed.nativeEvent.isComposing) return;
    pressed.preventDefault();
    const [first] = findCommands(commands, typed.current).shown;
    if (first !== undefined) choose(first);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      className="palette"
      aria-label="Command palette"
      backdrop={<div className="backdrop" />}
    >
      <ComboboxProvider open setInputValue={setText}>
        <Combobox
          autoSelect="always"
          onChange={({ target }) => void (typed.current = target.value)}
          onKeyDown={onKeyDown}
          placeholder="Go to a page, an agent, a run, a project …"
          className="palette-input"
        />
        <ComboboxList alwaysVisible className="palette-list" aria-label="Commands">
          {drawn.map((command) => (
            <ComboboxItem
              key={command.key}
              value={command.key}
              className="palette-item"
              setValueOnClick={false}
              onClick={() => choose(command)}
            >
              <span>{command.name}</span>
              <span className="quiet">{command.kind}</span>
            </ComboboxItem>
          ))}
        </ComboboxList>
        {more === 0 ? null : <p className="quiet palette-none">{more} more; type more letters.</p>}
        {shown.length === 0 ? <p className="quiet palette-none">Nothing is called “{text}”.</p> : null}
      </ComboboxProvider>
    </Dialog>
  );
}

function useCommands(): readonly PaletteCommand[] {
  const route = useRoute();
  const projects = useProjects();
  const agents = useLive("agent.list", { limit: 500, all: true }).data?.items;
  const runs = useLive("run.list", { limit: 50 }).data?.items;
  return useMemo(() => {
    const { project } = route;
    return [
      ...pageEntries.map(({ page, name }) => command("page", page, name, () => goTo({ page, project }))),
      ...(agents ?? []).map(({ id, name }) => command("agent", id, name, () => goTo({ page: "agents", id, project }))),
      ...(runs ?? []).map(({ id, request }) => command("run", id, request, () => goTo({ page: "runs", id, project }))),
      command("project", "all", "All projects", () => goTo({ ...route, project: undefined })),
      ...projects.map(({ id, name }) => command("project", id, name, () => goTo({ ...route, project: id }))),
      ...themes.map((theme) => command("theme", theme, `Theme: ${theme}`, () => applyTheme(theme))),
    ];
  }, [route, projects, agents, runs]);
}

function command(kind: string, id: string, name: string, run: () => void): PaletteCommand {
  return { kind, key: `${kind} ${id}`, name, run };
}
