import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button, ButtonLink } from '../design/button.js';
import { formatCount } from '../design/format.js';
import css from './step-buttons.module.css';

interface StepButtonsProps {
  /** The things that follow each other, in the singular. */
  what: string;
  /** From 0; negative while it is not known. */
  position: number;
  count: number;
  /** Addresses; undefined at the ends. */
  previous: string | undefined;
  next: string | undefined;
}

/** The ways to what comes before and after; the keys `k`, `j` and the arrows open them too. */
export function StepButtons({ what, position, count, previous, next }: StepButtonsProps) {
  if (count < 2) return null;
  return (
    <nav aria-label={`Previous and next ${what}`} className={css.steps}>
      <Step to={previous} rel="prev">
        <ChevronLeft size={16} aria-hidden="true" />
        <span className="visually-hidden">Previous {what}</span>
      </Step>
      <span className={css.position}>
        {position >= 0 && `${formatCount(position + 1)} of `}
        {formatCount(count)}
      </span>
      <Step to={next} rel="next">
        <span className="visually-hidden">Next {what}</span>
        <ChevronRight size={16} aria-hidden="true" />
      </Step>
    </nav>
  );
}

interface StepProps {
  to: string | undefined;
  rel: 'prev' | 'next';
  children: React.ReactNode;
}

function Step({ to, rel, children }: StepProps) {
  if (to === undefined) return <Button disabled>{children}</Button>;
  return (
    <ButtonLink to={to} rel={rel}>
      {children}
    </ButtonLink>
  );
}
