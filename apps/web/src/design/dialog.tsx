import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.js';
import css from './dialog.module.css';

interface DialogProps {
  title: ReactNode;
  isOpen: boolean;
  /** Also by Escape. */
  onClose: () => void;
  children: ReactNode;
}

/** A modal window: the browser's own, which keeps the focus inside and gives it back. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen) ref.current?.showModal();
    else ref.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={ref} className={css.dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {isOpen && children}
    </dialog>
  );
}

interface ConfirmProps extends Omit<DialogProps, 'children'> {
  /** What will happen. */
  children: ReactNode;
  /** The word on the button that does it. */
  action: string;
  isBusy?: boolean;
  onConfirm: () => void;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ children, action, isBusy = false, onConfirm, ...dialog }: ConfirmProps) {
  return (
    <Dialog {...dialog}>
      <div className={css.body}>{children}</div>
      <div className={css.actions}>
        <Button onClick={dialog.onClose}>Keep it</Button>
        <Button kind="danger" isBusy={isBusy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
