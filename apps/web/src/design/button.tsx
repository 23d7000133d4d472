import type { ButtonHTMLAttributes } from 'react';
import { Link } from 'wouter';
import css from './button.module.css';
import { classes } from './classes.js';

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  /** Its action is pending; a second press does nothing. */
  isBusy?: boolean;
}

export function Button({ kind = 'plain', isBusy = false, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(css.button, css[kind], className)}
      aria-busy={isBusy || undefined}
      disabled={rest.disabled || isBusy}
    />
  );
}

interface ButtonLinkProps {
  to: string;
  kind?: ButtonKind;
  /** `prev` and `next` are opened by keys too. */
  rel?: 'prev' | 'next';
  children: React.ReactNode;
}

/** A link with the style of a button. */
export function ButtonLink({ to, kind = 'plain', rel, children }: ButtonLinkProps) {
  return (
    <Link to={to} rel={rel} className={classes(css.button, css[kind])}>
      {children}
    </Link>
  );
}
