import css from './states.module.css';

/** Shown while something is on its way; appears only after a moment, so that quick answers do not flicker. */
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
