import { useIsServerUnavailable } from '../data/use-is-server-unavailable.js';
import css from './server-unavailable.module.css';

/** Says that what is shown may be old, for as long as the server does not answer. */
export function ServerUnavailable() {
  const isUnavailable = useIsServerUnavailable();
  return (
    <div role="status">
      {isUnavailable && (
        <p className={css.unavailable}>
          The server does not answer; trying again. Until then, what is shown may be out of date.
        </p>
      )}
    </div>
  );
}
