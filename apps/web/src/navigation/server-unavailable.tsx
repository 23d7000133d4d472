import { useIsServerUnavailable } from '../data/use-is-server-unavailable.js';
import css from './server-unavailable.module.css';

/** A notice that the screen may be out of date while the server is unavailable. */
export function ServerUnavailable() {
  const isUnavailable = useIsServerUnavailable();
  return (
    <div role="status">
      {isUnavailable && (
        <p className={css.unavailable}>
          The server is unavailable; retrying. This screen may be out of date.
        </p>
      )}
    </div>
  );
}
