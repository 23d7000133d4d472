const KEY = 'agentclash.token';
const SHARE = 'agentclash.share';
/** `SHARE_PATH` of the API. Not imported: this module is loaded before the code that the API's schemas need. */
const PATH = '/share';
const TOKEN = /^#(acs_[\w-]{43})$/;

/**
 * Reads the token of a link to a run from the address and removes it there. It is stored for this tab, so that the session
 * that the browser may have stays, and for tabs of a browser without one, in which pages of the link are opened.
 */
export function takeShare(): string | null {
  if (location.pathname !== PATH) return null;
  const token = TOKEN.exec(location.hash)?.[1] ?? null;
  history.replaceState(null, '', '/');
  if (token === null) return null;
  sessionStorage.setItem(KEY, token);
  localStorage.setItem(SHARE, token);
  return token;
}

export function isShareToken(token: string): boolean {
  return token.startsWith('acs_');
}

/** The token of the last link that was opened in this browser. */
export function findShare(): string | null {
  return localStorage.getItem(SHARE);
}

export function forgetShare(): void {
  if (isShareToken(sessionStorage.getItem(KEY) ?? '')) sessionStorage.removeItem(KEY);
  localStorage.removeItem(SHARE);
}
