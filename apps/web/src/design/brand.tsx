import css from './brand.module.css';

export function Brand() {
  return (
    <span className={css.brand}>
      <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M4 8h14l-4 4.5H4zM4 18.5h18l-4 4.5H4z" className={css.lanes} />
        <path d="M28 8h-6l-10 15h6z" className={css.slash} />
      </svg>
      AgentClash
    </span>
  );
}
