/** Keys of the board and the table. Never while something is typed, and never under an open drawer. */
import { useEffect, useRef } from "react";
import { isTyping } from "../shell/use-shortcuts.ts";
import type { ListedWork } from "./group-work.ts";

type KeyTerms = {
  readonly items: readonly ListedWork[];
  readonly chosen: string | undefined;
  readonly setChosen: (id: string) => void;
  readonly open: (id: string) => void;
  readonly claim: (item: ListedWork) => void;
  readonly isOff: boolean;
};

export function useWorkKeys(terms: KeyTerms): void {
  const latest = useRef(terms);
  latest.current = terms;
  useEffect(() => {
    const onKey = (pressed: KeyboardEvent): void => {
      const { items, chosen, setChosen, open, claim, isOff } = latest.current;
      if (isOff || isTyping(pressed.target) || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
      if (pressed.key === "Enter" && pressed.target instanceof HTMLElement && pressed.target.closest("a, button"))
        return;
      const index = items.findIndex(({ id }) => id === chosen);
      const item = items[index];
      if (pressed.key === "j" && items.length > 0) setChosen(items[Math.min(items.length - 1, index + 1)]!.id);
      else if (pressed.key === "k" && items.length > 0) setChosen(items[Math.max(0, index - 1)]!.id);
      else if (pressed.key === "Enter" && item !== undefined) open(item.id);
      else if (pressed.key === "c" && item !== undefined) claim(item);
      else return;
      pressed.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
