import { useIsServerAway } from '../data/use-is-server-away.js';
import css from './server-away.module.css';

/** Says that what is shown may be old, for as long as the server does not answer. */
export function ServerAway() {
  const isAway = useIsServerAway();
  return (
    <div role="status">
      {isAway && (
        <p className={css.away}>
          The server does not answer; trying again. Until then, what is shown may be out of date.
        </p>
      )}
    </div>
  );
}
