const CODE = /^#code=([\w-]+)$/;

/** Reads a sign-in code from the address and removes it there, so that no history or screenshot contains it. */
export function takeCode(): string | null {
  const code = CODE.exec(location.hash)?.[1] ?? null;
  if (code !== null) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/**
 * True when a code signs in without a confirmation. On the local machine only its user can have created it. Elsewhere
 * a foreign link could sign a user in to another workspace, so the page requires a confirmation.
 */
export function isOwnMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
