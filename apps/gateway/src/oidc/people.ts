import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { ContractError } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/caller.js';
import { WorkspacesStore } from '../workspaces/workspaces.store.js';
import { grantsOf } from './claim-rules.js';
import { type Identity, Issuers } from './issuers.js';

/** In characters, which may take two code units each: actors have at most 200. */
const NAME_LENGTH_MAX = 100;

/** A secret of the installation, from which the keys of callers without a secret of their own are derived. */
export class InstallationKey {
  private readonly key: Buffer;

  constructor(key: string | undefined) {
    this.key = key === undefined ? randomBytes(32) : Buffer.from(key, 'base64');
  }

  derive(subject: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.key, subject, 'agentclash/gateway/answers/oidc/1', 32));
  }
}

/** Authenticates people by a token of their own issuer. */
@Injectable()
export class People {
  constructor(
    private readonly issuers: Issuers,
    private readonly workspaces: WorkspacesStore,
    private readonly key: InstallationKey,
  ) {}

  /** Fails with `unauthenticated`, and with `forbidden` when no rule grants this person a role. */
  async caller(token: string): Promise<Caller> {
    const identity = await this.issuers.verify(token);
    const { settings, claims, subject, expiresAt } = identity;
    const grants = grantsOf(settings.sign_in, claims);
    const found = await Promise.all([...grants.keys()].map((slug) => this.workspaces.find({ slug })));
    const memberships = found.flatMap((workspace) => {
      const role = workspace && grants.get(workspace.slug);
      return workspace && role ? [{ workspace, role }] : [];
    });
    const [first] = memberships;
    if (first === undefined) {
      throw new ContractError(
        'forbidden',
        'No rule of this installation grants this account a role. An operator can add one.',
      );
    }
    return {
      ...first,
      memberships,
      tokenId: null,
      owner: `oidc:${createHash('sha256').update(subject).digest('base64url')}`,
      name: nameOf(identity),
      expiresAt: expiresAt.toISOString(),
      privateKey: () => this.key.derive(subject),
    };
  }
}

/** For audit trails: the name claim, else the subject, without characters that cannot be stored as text. */
export function nameOf({ settings, claims }: Pick<Identity, 'settings' | 'claims'>): string {
  const name = claims[settings.name_claim];
  const text = typeof name === 'string' && name.trim() !== '' ? name : (claims.sub ?? '');
  const plain = [...text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').trim()].slice(0, NAME_LENGTH_MAX).join('');
  return plain === '' ? 'unnamed' : plain;
}
