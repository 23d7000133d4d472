const KEY = 'agentclash.token';
const WORKSPACE = 'agentclash.workspace';

/** The token of this tab, or the one kept for this browser. */
export function findToken(): string | null {
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
}

/**
 * For all tabs of this browser, or for this one alone. Only a token that ends by itself is for all: what is stored for a
 * browser outlives the visit.
 */
export function storeToken(token: string, reach: 'browser' | 'tab'): void {
  forgetToken();
  (reach === 'browser' ? localStorage : sessionStorage).setItem(KEY, token);
}

export function forgetToken(): void {
  // With all else of this tab: whoever signs in next shall not find what the last one was writing.
  sessionStorage.clear();
  localStorage.removeItem(KEY);
}

/** Calls back when another tab signs in or out. Returns what ends that. */
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
