/** What became of an action: said once, at the foot of the page, and read aloud. */
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";

type Notice = { readonly id: number; readonly text: string; readonly tone: "good" | "bad" };
type Say = (text: string, tone: Notice["tone"]) => void;

const SayContext = createContext<Say>(() => {});
const shownMs = 8_000;
const most = 4;

export function NoticeProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const remove = useCallback((id: number) => setNotices((all) => all.filter((notice) => notice.id !== id)), []);
  const say = useMemo<Say>(() => {
    let last = 0;
    return (text, tone) => {
      const id = ++last;
      setNotices((all) => [...all, { id, text, tone }].slice(-most));
      if (tone === "good") setTimeout(() => remove(id), shownMs); // a refusal stays until it is closed
    };
  }, [remove]);
  return (
    <SayContext.Provider value={say}>
      {children}
      <div className="notices" role="log" aria-label="What happened">
        {notices.map(({ id, text, tone }) => (
          <p key={id} className={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
            {text}
            <button type="button" className="small" onClick={() => remove(id)} aria-label="Close this notice">
              Close
            </button>
          </p>
        ))}
      </div>
    </SayContext.Provider>
  );
}

export const useSay = (): Say => useContext(SayContext);
