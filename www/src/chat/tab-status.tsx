/** Whether this tab sends, and a link to open another one. */
import type { Session } from '../session/session';
import { useIsLeader } from './use-session';
import { Icon } from './icons';

export function TabStatus({ session }: { session: Session }) {
  const isLeader = useIsLeader(session);
  if (!session.scenario.opensTab && isLeader) return null;
  return (
    <div className="tab-status" data-tab={isLeader ? 'sends' : 'follows'}>
      <p role="status">
        <span className={isLeader ? 'lamp on' : 'lamp'} aria-hidden="true" />
        {isLeader
          ? 'This tab is the leader: it sends.'
          : 'This tab is a follower: another one sends. You can answer here, too.'}
      </p>
      <a href={location.href} target="_blank" rel="noopener">
        Open a second tab
        <Icon name="out" />
      </a>
    </div>
  );
}
