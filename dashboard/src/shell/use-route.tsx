/** The address bar for components: where we are, how to go somewhere, and links that a middle click opens elsewhere. */
import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useMemo, useSyncExternalStore } from "react";
import { addressOf, readRoute, type Route } from "./route.ts";

const moved = "sylk-moved";

export function goTo(route: Partial<Route>, { replace = false } = {}): void {
  const address = addressOf(route);
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  dispatchEvent(new Event(moved));
}

export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => `${location.pathname}${location.search}`);
  return useMemo(() => readRoute(new URL(address, location.origin)), [address]);
}

function subscribe(onChange: () => void): () => void {
  addEventListener("popstate", onChange);
  addEventListener(moved, onChange);
  return () => {
    removeEventListener("popstate", onChange);
    removeEventListener(moved, onChange);
  };
}

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> & {
  /** The project in view stays in view unless another one is named. */
  readonly to: Partial<Route>;
  readonly children: ReactNode;
};

export function Link({ to, children, ...rest }: LinkProps): ReactNode {
  const { project } = useRoute();
  const target = { project, ...to };
  const follow = (click: MouseEvent): void => {
    if (click.button !== 0 || click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return;
    click.preventDefault();
    goTo(target);
  };
  return (
    <a {...rest} href={addressOf(target)} onClick={follow}>
      {children}
    </a>
  );
}
