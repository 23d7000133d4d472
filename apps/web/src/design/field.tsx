import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { Button } from './button.js';
import { classes } from './classes.js';
import css from './field.module.css';

interface Labelled {
  label: ReactNode;
  hint?: ReactNode;
  /** The problem of the value; announced. */
  problem?: ReactNode;
}

/** Label, hint and problem around one control, tied to it by ids. */
export function LabelledControl({
  id,
  label,
  hint,
  problem,
  children,
}: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className={css.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** The attributes that tie a control to its hint and problem. */
export function tied(id: string, { hint, problem }: Labelled) {
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`];
  return {
    id,
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
  };
}

/** `choices` are values that are known; others can be typed. */
export function TextField({
  label,
  hint,
  problem,
  className,
  choices,
  ...rest
}: Labelled & { choices?: readonly string[] | undefined } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const frame = { label, hint, problem };
  const list = choices && `${id}-choices`;
  return (
    <LabelledControl id={id} {...frame}>
      <input list={list} {...rest} {...tied(id, frame)} className={classes(css.control, className)} />
      {choices && (
        <datalist id={list}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </LabelledControl>
  );
}

export function TextArea({
  label,
  hint,
  problem,
  className,
  ...rest
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  const frame = { label, hint, problem };
  return (
    <LabelledControl id={id} {...frame}>
      <textarea {...rest} {...tied(id, frame)} className={classes(css.control, css.area, className)} />
    </LabelledControl>
  );
}

export function SelectField({
  label,
  hint,
  problem,
  className,
  ...rest
}: Labelled & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  const frame = { label, hint, problem };
  return (
    <LabelledControl id={id} {...frame}>
      <select {...rest} {...tied(id, frame)} className={classes(css.control, className)} />
    </LabelledControl>
  );
}

/** A checkbox with its label beside it. */
export function Toggle({ label, ...rest }: { label: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className={css.toggle}>
      <input type="checkbox" {...rest} />
      {label}
    </label>
  );
}

/** The filter controls of a list, in one row on wide screens. */
interface FiltersProps {
  /** Removes all of them; absent where none is set. */
  onClear?: (() => void) | undefined;
  children: ReactNode;
}

export function Filters({ onClear, children }: FiltersProps) {
  return (
    <search className={css.filters} aria-label="Filters">
      {children}
      {onClear && <Button onClick={onClear}>Clear filters</Button>}
    </search>
  );
}
