const KEY = 'agentclash.token';

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
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
}
