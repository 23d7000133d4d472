/** What is known of a secret that there is. */
export interface KnownSecret {
  key: string;
  hosts: readonly string[];
  binding?: 'origin' | 'any' | 'host' | 'unbound' | undefined;
}

/** A secret as a form holds it. */
export interface SecretDraft {
  key: string;
  /** As typed; null until something is typed: then those stay that the secret has. */
  hosts: string | null;
  /** Whether it may go anywhere; null until that is chosen. */
  isAny: boolean | null;
}

/** The secret whose value would be replaced. */
export function replacedBy({ key }: SecretDraft, known: readonly KnownSecret[]): KnownSecret | undefined {
  return known.find((secret) => secret.key === key);
}

/** Where it goes as the form shows it. */
export function hostsText(draft: SecretDraft, known: readonly KnownSecret[]): string {
  return draft.hosts ?? replacedBy(draft, known)?.hosts.join(', ') ?? '';
}

/** Whether it may go anywhere, by choice: of a secret that was never bound nothing was chosen. */
export function isAnyChosen(draft: SecretDraft, known: readonly KnownSecret[]): boolean {
  return draft.isAny ?? replacedBy(draft, known)?.binding === 'any';
}

/** What is sent of it; nothing as long as it has to be chosen. */
export function bindingOf(
  draft: SecretDraft,
  known: readonly KnownSecret[],
): { hosts: string[] } | { any: true } | undefined {
  if (isAnyChosen(draft, known)) return { any: true };
  const hosts = hostsText(draft, known)
    .split(/[\s,]+/)
    .filter(Boolean);
  return hosts.length > 0 ? { hosts } : undefined;
}

/** Where a stored secret goes, and what should be done about it. */
export function reachOf({ hosts, binding }: KnownSecret): { text: string; warning?: string } {
  if (hosts.length > 0 && binding === 'origin') return { text: hosts.join(', ') };
  if (hosts.length > 0) {
    const warning = 'Set it again: then a host is https on port 443, and every other origin is written out.';
    return { text: `${hosts.join(', ')} (any scheme and port)`, warning };
  }
  if (binding === 'any') return { text: 'anywhere, by choice' };
  return { text: 'anywhere', warning: 'It is unbound: set it again and say where it may go.' };
}
