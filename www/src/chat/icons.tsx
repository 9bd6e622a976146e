/** The icons of `icon-paths.ts`, and the mark. */
import { ICONS, type IconName } from './icon-paths';

export type { IconName };

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={ICONS[name]} />
    </svg>
  );
}

/** The mark of the project: a gate with its bar down. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      <path className="mark-post" d="M5 4v17M19 4v17" />
      <path className="mark-bar" d="M5 12h14" />
      <circle className="mark-lamp" cx="12" cy="6" r="2" />
    </svg>
  );
}
