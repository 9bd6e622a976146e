/** The links to the pages of the site, in React's pages. */
import { DOCS, FRAMEWORK_PAGES, hrefOf, MUSEUM } from './session/pages';

/** Props of `SiteNav`. */
export interface SiteNavProps {
  /** The name of this page. */
  current: string;
  /** The scenario that the links to the other frameworks keep. */
  scenarioId?: string;
}

export function SiteNav({ current, scenarioId }: SiteNavProps) {
  return (
    <nav className="site" aria-label="Site">
      <ul>
        {[...FRAMEWORK_PAGES, MUSEUM].map((page) => (
          <li key={page.name}>
            <a
              href={scenarioId === undefined || page === MUSEUM ? page.file : hrefOf(page, scenarioId)}
              aria-current={page.name === current ? 'page' : undefined}
            >
              {page.name}
            </a>
          </li>
        ))}
        <li>
          <a href={DOCS}>Docs</a>
        </li>
      </ul>
    </nav>
  );
}
