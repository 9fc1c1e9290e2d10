/** Asks before something is done, and for what it needs: a reason, a number, a consent. Escape leaves everything as it is. */
import { Dialog, DialogDismiss, DialogHeading } from "@ariakit/react";
import { type ReactNode, type SubmitEvent, useState } from "react";

export type Field =
  | {
      readonly kind: "text";
      readonly name: string;
      readonly label: string;
      readonly needed?: boolean;
      readonly value?: string;
      readonly lines?: number;
    }
  | {
      readonly kind: "number";
      readonly name: string;
      readonly label: string;
      readonly needed?: boolean;
      readonly value?: string;
    }
  | { readonly kind: "consent"; readonly name: string; readonly label: string; readonly needed?: boolean };

export type Asked = {
  readonly title: string;
  /** What will happen, and what is lost. */
  readonly explanation: ReactNode;
  readonly confirm: string;
  readonly isDanger?: boolean;
  readonly fields?: readonly Field[];
  /** Resolves to whether it was done; the dialog stays open, with what was typed, if not. */
  readonly onConfirm: (values: Readonly<Record<string, string>>) => Promise<boolean>;
};

export function AskDialog({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }): ReactNode {
  const { title, explanation, confirm, isDanger = false, fields = [], onConfirm } = asked;
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, "value" in field ? (field.value ?? "") : ""])),
  );
  const [isBusy, setBusy] = useState(false);
  const isMissing = fields.some(({ name, needed }) => needed === true && values[name]!.trim() === "");
  const submit = (submitted: SubmitEvent): void => {
    submitted.preventDefault();
    setBusy(true);
    void onConfirm(values).then((isDone) => {
      setBusy(false);
      if (isDone) onClose();
    });
  };
  const set = (name: string, value: string): void => setValues((all) => ({ ...all, [name]: value }));
  return (
    <Dialog open onClose={onClose} className="ask" backdrop={<div className="backdrop" />}>
      <form onSubmit={submit}>
        <DialogHeading>{title}</DialogHeading>
        <div className="ask-explanation">{explanation}</div>
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={values[field.name]!}
            onChange={(value) => set(field.name, value)}
          />
        ))}
        <div className="decision">
          <button type="submit" className={isDanger ? "danger" : "primary"} disabled={isBusy || isMissing}>
            {confirm}
          </button>
          <DialogDismiss>Leave it</DialogDismiss>
        </div>
      </form>
    </Dialog>
  );
}

type FieldInputProps = { readonly field: Field; readonly value: string; readonly onChange: (value: string) => void };

function FieldInput({ field, value, onChange }: FieldInputProps): ReactNode {
  const { kind, label } = field;
  if (kind === "consent")
    return (
      <label className="consent">
        <input
          type="checkbox"
          checked={value !== ""}
          onChange={({ target }) => onChange(target.checked ? "yes" : "")}
        />
        {label}
      </label>
    );
  return (
    <label className="field">
      {label}
      {kind === "text" && (field.lines ?? 1) > 1 ? (
        <textarea rows={field.lines} value={value} onChange={({ target }) => onChange(target.value)} />
      ) : (
        <input
          type="text"
          inputMode={kind === "number" ? "numeric" : "text"}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </label>
  );
}
