import type { SecretBinding } from '@agentclash/domain';
/** A stored secret without its value. */
export interface KnownSecret {
  key: string;
  hosts: readonly string[];
  binding?: SecretBinding | undefined;
}

/** The state of the secret form. */
export interface SecretDraft {
  key: string;
  /** The typed text; null before any input: the stored hosts are kept. */
  hosts: string | null;
  /** True when any host is allowed; null before a choice. */
  isAny: boolean | null;
}

/** The secret whose value would be replaced. */
export function replacedBy({ key }: SecretDraft, known: readonly KnownSecret[]): KnownSecret | undefined {
  return known.find((secret) => secret.key === key);
}

/** The allowed hosts in the form. */
export function hostsText(draft: SecretDraft, known: readonly KnownSecret[]): string {
  return draft.hosts ?? replacedBy(draft, known)?.hosts.join(', ') ?? '';
}

/** True when any host is allowed by choice; not for a secret that was never bound. */
export function isAnyChosen(draft: SecretDraft, known: readonly KnownSecret[]): boolean {
  return draft.isAny ?? replacedBy(draft, known)?.binding === 'any';
}

/** The binding to send; undefined while it must still be chosen. */
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

/** The allowed hosts of a stored secret, with a warning where it needs a change. */
export function reachOf({ hosts, binding }: KnownSecret): { text: string; warning?: string } {
  if (hosts.length > 0 && binding === 'origin') return { text: hosts.join(', ') };
  if (hosts.length > 0) {
    const warning = 'Set it again: a bare host then means https on port 443 only.';
    return { text: `${hosts.join(', ')} (any scheme and port)`, warning };
  }
  if (binding === 'any') return { text: 'any host' };
  return { text: 'any host', warning: 'It is unbound: set it again with its allowed hosts.' };
}
