import { formatAgo, formatTime, NOTHING } from './format.js';

/** How long ago something was; the exact time on hover. */
export function Ago({ at }: { at: string | null }) {
  if (at === null) return <>{NOTHING}</>;
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatAgo(at)}
    </time>
  );
}
