import { findShare, forgetShare } from './share-link.js';

const KEY = 'agentclash.token';
const WORKSPACE = 'agentclash.workspace';

/** The token of this tab, the one kept for this browser, or that of a link to a run. */
export function findToken(): string | null {
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? findShare();
}

/**
 * Stores a token for all tabs of this browser, or for this tab. Only an expiring token is stored for all tabs, because
 * that storage is permanent.
 */
export function storeToken(token: string, reach: 'browser' | 'tab'): void {
  forgetToken();
  (reach === 'browser' ? localStorage : sessionStorage).setItem(KEY, token);
}

export function forgetToken(): void {
  // All data of this tab is removed, so that the next user does not find unsaved text.
  sessionStorage.clear();
  localStorage.removeItem(KEY);
  forgetShare();
}

/** Calls back when another tab signs in or out. Returns a function that unsubscribes. */
export function onTokenChanged(changed: (token: string | null) => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.storageArea === localStorage && event.key === KEY) changed(event.newValue);
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}

/** The workspace that was chosen in this tab. */
export function findWorkspace(): string | null {
  return sessionStorage.getItem(WORKSPACE);
}

export function storeWorkspace(id: string): void {
  sessionStorage.setItem(WORKSPACE, id);
}
