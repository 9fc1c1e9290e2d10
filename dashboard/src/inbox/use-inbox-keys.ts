/**
 * The keys of the inbox. Each card of it, request or message, is one choice.
 *
 *   j, k  next, previous      a  approve or acknowledge      r  reject      c  write an answer or a reason
 */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { isTyping } from "../shell/use-shortcuts.ts";

export type Choice = {
  readonly key: string;
  readonly approve?: (() => void) | undefined;
  readonly reject?: (() => void) | undefined;
};

type Chosen = { readonly key: string | undefined; readonly choose: (key: string) => void };

/** So long no key decides after the chosen card went without a key of the person: another one stands in its place. */
const surpriseMs = 1_000;

/** The choice stays on its card, whatever is decided elsewhere; when the card is gone, the next one is chosen. */
export function useInboxKeys(choices: readonly Choice[]): Chosen {
  const [chosen, setChosen] = useState<{ readonly key: string | undefined; readonly place: number }>({
    key: undefined,
    place: 0,
  });
  const found = choices.findIndex((one) => one.key === chosen.key);
  const place = found >= 0 ? found : Math.max(0, Math.min(chosen.place, choices.length - 1));
  const choice = choices[place];
  const goTo = (next: number): void => {
    const within = Math.max(0, Math.min(choices.length - 1, next));
    setChosen({ key: choices[within]?.key, place: within });
  };
  const key = choice?.key;
  const decided = useRef<string>(undefined);
  const surprisedAt = useRef(-Infinity);
  useLayoutEffect(() => {
    if (key === undefined) return;
    const hasGone = chosen.key !== undefined && found < 0;
    if (hasGone && chosen.key !== decided.current) surprisedAt.current = performance.now();
    setChosen({ key, place });
  }, [key, place, chosen.key, found]);
  const onKey = useEffectEvent((pressed: KeyboardEvent): void => {
    if (isTyping(pressed.target)) return void (pressed.key === "Escape" && (pressed.target as HTMLElement).blur());
    if (choice === undefined || pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
    if (pressed.repeat && pressed.key !== "j" && pressed.key !== "k") return; // a key that is held down decides once
    const isDecision = pressed.key === "a" || pressed.key === "r";
    if (isDecision && pressed.timeStamp - surprisedAt.current < surpriseMs) return;
    if (isDecision) decided.current = choice.key;
    if (pressed.key === "j") goTo(place + 1);
    else if (pressed.key === "k") goTo(place - 1);
    else if (pressed.key === "a" && choice.approve !== undefined) choice.approve();
    else if (pressed.key === "r" && choice.reject !== undefined) choice.reject();
    else if (pressed.key === "c") fieldOf(choice.key)?.focus();
    else return;
    pressed.preventDefault();
  });
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return { key, choose: (key) => goTo(choices.findIndex((one) => one.key === key)) };
}

function fieldOf(key: string): HTMLInputElement | null {
  return document.querySelector(`[data-choice="${CSS.escape(key)}"] input`);
}
