import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../design/button.js';
import { clearToasts, dismissToast, type Toast, useToasts } from '../design/toasts.js';
import css from './toast-region.module.css';

/** For a reader of slow speech; the text is also where the action was. */
const SHOWN_MS = 8_000;

/** The one live region of what actions have done. A toast stays as long as the pointer or the focus is on the region. */
export function ToastRegion() {
  const toasts = useToasts();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => clearToasts, []);
  return (
    <div
      role="status"
      aria-label="Notifications"
      className={css.region}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {toasts.map((toast) => (
        <Notice key={toast.id} toast={toast} isHeld={isHeld} />
      ))}
    </div>
  );
}

function Notice({ toast: { id, text }, isHeld }: { toast: Toast; isHeld: boolean }) {
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissToast(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, isHeld]);
  return (
    <p className={css.toast}>
      <span>{text}</span>
      <Button kind="quiet" onClick={() => dismissToast(id)}>
        <X size={14} aria-hidden="true" />
        <span className="visually-hidden">Dismiss</span>
      </Button>
    </p>
  );
}
