import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button, type ButtonKind } from './button.js';
import { classes } from './classes.js';
import css from './dialog.module.css';

interface DialogProps {
  title: ReactNode;
  isOpen: boolean;
  /** Also by Escape. */
  onClose: () => void;
  /** True for two columns of content. */
  isWide?: boolean;
  children: ReactNode;
}

/** A modal dialog: the native element, which traps the focus and restores it. */
export function Dialog({ title, isOpen, onClose, isWide = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen) ref.current?.showModal();
    else ref.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={ref}
      className={classes(css.dialog, isWide && css.wide)}
      aria-labelledby={id}
      onClose={onClose}
    >
      <h2 id={id}>{title}</h2>
      {isOpen && children}
    </dialog>
  );
}

interface ConfirmProps extends Omit<DialogProps, 'children'> {
  /** The consequence of the action. */
  children: ReactNode;
  /** Label of the button that performs it. */
  action: string;
  /** Label of the button that closes the dialog. */
  dismissal?: string | undefined;
  /** Of the button that performs it; default: `danger`, for what cannot be undone. */
  kind?: ButtonKind;
  isBusy?: boolean;
  onConfirm: () => void;
}

/** Confirms an action that cannot be undone, or that costs money. */
export function Confirm({
  children,
  action,
  dismissal = 'Cancel',
  kind = 'danger',
  isBusy = false,
  onConfirm,
  ...dialog
}: ConfirmProps) {
  return (
    <Dialog {...dialog}>
      <div className={css.body}>{children}</div>
      <div className={css.actions}>
        <Button onClick={dialog.onClose}>{dismissal}</Button>
        <Button kind={kind} isBusy={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
