/**
 * Keys that work everywhere: Ctrl-K for the palette, "g" and a letter for a page. Never while something is typed. The key after
 * "g" reaches no page: there the same letter may reject a plan.
 */
import { useEffect } from "react";
import { pageEntries } from "./page-names.ts";
import { goTo, useRoute } from "./use-route.tsx";

const secondKeyMs = 1_500;

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
  );
}

export function useShortcuts(openPalette: () => void): void {
  const { project } = useRoute();
  useEffect(() => {
    let goAt = -Infinity;
    const onKey = (pressed: KeyboardEvent): void => {
      if (pressed.key.toLowerCase() === "k" && (pressed.ctrlKey || pressed.metaKey)) {
        pressed.preventDefault();
        openPalette();
        return;
      }
      if (isTyping(pressed.target) || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
      if (pressed.key.length > 1) return; // Shift, Escape, an arrow
      const isSecond = pressed.timeStamp - goAt < secondKeyMs;
      if (isSecond) pressed.stopImmediatePropagation();
      goAt = pressed.key === "g" ? pressed.timeStamp : -Infinity;
      const entry = isSecond ? pageEntries.find(({ key }) => key === pressed.key) : undefined;
      if (entry !== undefined) goTo({ page: entry.page, project });
    };
    addEventListener("keydown", onKey, { capture: true }); // before those of any page
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, [openPalette, project]);
}
