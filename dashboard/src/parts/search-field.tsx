/** A field that searches when Enter is pressed or when typing pauses. */
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from "react";

type SearchFieldProps = {
  readonly label: string;
  /** The text that is searched for now. */
  readonly value: string;
  readonly onSearch: (text: string) => void;
  readonly placeholder?: string;
  readonly className?: string;
};

const pauseMs = 300;

export function SearchField({ label, value, onSearch, placeholder, className = "" }: SearchFieldProps): ReactNode {
  const [text, setText] = useState(value);
  const searched = useRef(value);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  useEffect(() => {
    // The address changed from elsewhere: by a link, or by the browser's back button.
    if (value === searched.current) return;
    searched.current = value;
    setText(value);
  }, [value]);
  const search = (wanted: string): void => {
    if (wanted === searched.current) return;
    searched.current = wanted;
    latest.current(wanted);
  };
  useEffect(() => {
    const timer = setTimeout(() => search(text.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  const submit = (submitted: SubmitEvent): void => {
    submitted.preventDefault();
    search(text.trim());
  };
  return (
    <form role="search" className={`search-field ${className}`} onSubmit={submit} aria-label={label}>
      <input
        type="search"
        value={text}
        onChange={({ target }) => setText(target.value)}
        placeholder={placeholder}
        aria-label={label}
        spellCheck={false}
      />
    </form>
  );
}
