/** What is known of a secret that there is. */
export interface KnownSecret {
  key: string;
  hosts: readonly string[];
}

/** A secret as a form holds it. */
export interface SecretDraft {
  key: string;
  /** As typed; null as long as nobody has: then those stay that the secret has. */
  hosts: string | null;
}

/** The secret whose value would be replaced. */
export function replacedBy({ key }: SecretDraft, known: readonly KnownSecret[]): KnownSecret | undefined {
  return known.find((secret) => secret.key === key);
}

/** The hosts as the form shows them. */
export function hostsText(draft: SecretDraft, known: readonly KnownSecret[]): string {
  return draft.hosts ?? replacedBy(draft, known)?.hosts.join(', ') ?? '';
}

/** The hosts that are sent. To send none for a secret that has some would let it go anywhere. */
export function hostsOf(draft: SecretDraft, known: readonly KnownSecret[]): string[] {
  return hostsText(draft, known)
    .split(/[\s,]+/)
    .filter(Boolean);
}
