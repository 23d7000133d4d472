import { useSyncExternalStore } from 'react';

export interface Toast {
  id: number;
  text: string;
}

/** As many are shown at once; older ones leave first. */
const SHOWN_MAX = 3;

let toasts: readonly Toast[] = [];
let next = 1;
const listeners = new Set<() => void>();

function set(changed: readonly Toast[]): void {
  toasts = changed;
  for (const listener of listeners) listener();
}

/** Shows for a while what an action has done. Errors stay on the screen, beside what failed. */
export function showToast(text: string): void {
  set([...toasts, { id: next++, text }].slice(-SHOWN_MAX));
}

export function dismissToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

/** At the end of a session: its toasts are not shown in the next one. */
export function clearToasts(): void {
  if (toasts.length > 0) set([]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The toasts that are shown, the oldest first. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(subscribe, () => toasts);
}
