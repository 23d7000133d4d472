const CODE = /^#code=([\w-]+)$/;

/** A sign-in code that the address brought along, taken out of it so that no history or screenshot keeps it. */
export function takeCode(): string | null {
  const code = CODE.exec(location.hash)?.[1] ?? null;
  if (code !== null) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

/**
 * Whether a code signs in at once. On one's own machine only its user can have made it. Elsewhere a link from somebody
 * else could sign a person in to a workspace that is not theirs: there the page asks before.
 */
export function isOwnMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
