/** Where one can go: beside the page, or under the thumb on a narrow screen. */
import { Menu, MenuButton, MenuItem, MenuProvider } from "@ariakit/react";
import type { ReactNode } from "react";
import { type PageEntry, pageEntries } from "./page-names.ts";
import { goTo, Link, useRoute } from "./use-route.tsx";

/** As many as fit beside "More" on a narrow screen. */
const firstOnNarrow = 4;

export function Navigation({ waiting }: { readonly waiting: number | undefined }): ReactNode {
  const { page, project } = useRoute();
  const more = pageEntries.slice(firstOnNarrow);
  return (
    <nav className="navigation" aria-label="Pages">
      <ul>
        {pageEntries.map((entry, index) => (
          <li key={entry.page} className={index < firstOnNarrow ? undefined : "wide-only"}>
            <PageLink entry={entry} isHere={page === entry.page} waiting={waiting} />
          </li>
        ))}
        {more.length === 0 ? null : (
          <li className="narrow-only">
            <MenuProvider>
              <MenuButton className="more" data-here={more.some((entry) => entry.page === page) ? "" : undefined}>
                More
              </MenuButton>
              <Menu className="menu" gutter={4}>
                {more.map((entry) => (
                  <MenuItem key={entry.page} className="menu-item" onClick={() => goTo({ page: entry.page, project })}>
                    {entry.name}
                  </MenuItem>
                ))}
              </Menu>
            </MenuProvider>
          </li>
        )}
      </ul>
    </nav>
  );
}

type PageLinkProps = { readonly entry: PageEntry; readonly isHere: boolean; readonly waiting: number | undefined };

function PageLink({ entry: { page, name }, isHere, waiting = 0 }: PageLinkProps): ReactNode {
  return (
    <Link to={{ page }} aria-current={isHere ? "page" : undefined}>
      {name}
      {page === "inbox" && waiting > 0 ? (
        <span className="badge" role="img" aria-label={`${waiting} waiting`}>
          {waiting > 99 ? "99+" : waiting}
        </span>
      ) : null}
    </Link>
  );
}
