const KEY = 'agentclash.token';
const WORKSPACE = 'agentclash.workspace';

/** The token of this tab, or the one kept for this browser. */
export function findToken(): string | null {
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
}

/** Without `keep` the token is forgotten with the tab. */
export function storeToken(token: string, { keep }: { keep: boolean }): void {
  forgetToken();
  (keep ? localStorage : sessionStorage).setItem(KEY, token);
}

export function forgetToken(): void {
  // With all else of this tab: whoever signs in next shall not find what the last one was writing.
  sessionStorage.clear();
  localStorage.removeItem(KEY);
}

/** The workspace that was chosen in this tab. */
export function findWorkspace(): string | null {
  return sessionStorage.getItem(WORKSPACE);
}

export function storeWorkspace(id: string): void {
  sessionStorage.setItem(WORKSPACE, id);
}
