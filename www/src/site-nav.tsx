/** The name of the project and the links to the pages of the site, in React's pages. */
import { Mark } from './chat/icons';
import { DOCS, FRAMEWORK_PAGES, HOME, hrefOf, MUSEUM, type SitePage } from './session/pages';

/** Props of `SiteNav`. */
export interface SiteNavProps {
  /** The name of this page, if it is one of them. */
  current?: string;
  /** Default: the demo in each framework, and the museum. The documentation follows. */
  pages?: readonly SitePage[];
  /** The scenario that the links to the other frameworks keep. */
  scenarioId?: string;
}

const ALL: readonly SitePage[] = [...FRAMEWORK_PAGES, MUSEUM];

export function SiteNav({ current, scenarioId, pages = ALL }: SiteNavProps) {
  return (
    <nav className="site" aria-label="Site">
      <ul>
        {pages.map((page) => (
          <li key={page.name}>
            <a
              href={scenarioId === undefined || page === MUSEUM ? page.file : hrefOf(page, scenarioId)}
              aria-current={page.name === current ? 'page' : undefined}
            >
              {page.short ? <span className="narrow">{page.short}</span> : null}
              <span className={page.short && 'wide'}>{page.name}</span>
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

/** The name of the project, which leads to the first page, as the page's heading. `more`: what this page is. */
export function Brand({ more = '' }: { more?: string }) {
  return (
    <div className="brand">
      <Mark />
      <h1>
        <a href={HOME}>Toolgate</a>
        {more ? <span className="hidden">: {more}</span> : null}
      </h1>
    </div>
  );
}
