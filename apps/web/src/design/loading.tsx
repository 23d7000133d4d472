import css from './states.module.css';

/** Loading indicator; it appears after a delay, so that fast responses do not flicker. */
export function Loading({ what }: { what: string }) {
  return (
    <div className={css.loading} role="status">
      <span className={css.bars} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span>Loading {what} …</span>
    </div>
  );
}
