/** A panel beside the page, for one thing of it. Escape, the button and a click outside close it. */
import { Dialog, DialogDismiss, DialogHeading } from "@ariakit/react";
import type { ReactNode } from "react";

type DrawerProps = {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

export function Drawer({ title, onClose, children }: DrawerProps): ReactNode {
  return (
    <Dialog open onClose={onClose} className="drawer" backdrop={<div className="backdrop" />}>
      <header>
        <DialogHeading>{title}</DialogHeading>
        <DialogDismiss className="small">Close</DialogDismiss>
      </header>
      <div className="drawer-body">{children}</div>
    </Dialog>
  );
}
