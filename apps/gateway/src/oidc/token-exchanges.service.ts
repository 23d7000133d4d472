import type { ExchangedToken } from '@agentclash/api';
import { ContractError } from '@agentclash/contracts';
import type { Role } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { TokensService } from '../tokens/tokens.service.js';
import { EXCHANGE, TokensStore } from '../tokens/tokens.store.js';
import { WorkspacesStore } from '../workspaces/workspaces.store.js';
import { type Grants, grantsOf } from './claim-rules.js';
import { Issuers } from './issuers.js';
import { nameOf } from './people.js';

/** Expired tokens of CI jobs are listed for this long. */
const LISTING_MS = 24 * 3_600_000;

/**
 * Exchanges a CI job's token of its own issuer for a short-lived token of this installation: the CI stores no secret.
 */
@Injectable()
export class TokenExchanges {
  constructor(
    private readonly issuers: Issuers,
    private readonly workspaces: WorkspacesStore,
    private readonly tokens: TokensService,
    private readonly store: TokensStore,
  ) {}

  /** Fails with `unauthenticated`, with `forbidden` when no rule matches, with `invalid_input` when several workspaces do. */
  async exchange(subjectToken: string, requestedSlug?: string): Promise<ExchangedToken> {
    const identity = await this.issuers.verify(subjectToken);
    const { settings, claims } = identity;
    const [slug, role] = chosenGrant(grantsOf(settings.exchange, claims), requestedSlug);
    const workspace = await this.workspaces.find({ slug });
    if (workspace === undefined) throw noRule();
    const expires_in = settings.exchange_seconds;
    const { token } = await this.tokens.create({
      workspace,
      role,
      name: nameOf({ settings: { ...settings, name_claim: 'sub' }, claims }),
      expiresAt: new Date(Date.now() + expires_in * 1_000).toISOString(),
      actor: EXCHANGE,
    });
    await this.store.deleteExpiredExchanges(new Date(Date.now() - LISTING_MS));
    return {
      access_token: token,
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in,
      workspace: slug,
      role,
    };
  }
}

function chosenGrant(grants: Grants, requestedSlug: string | undefined): [slug: string, role: Role] {
  const [first, ...others] = [...grants].filter(
    ([slug]) => requestedSlug === undefined || slug === requestedSlug,
  );
  if (first === undefined) throw noRule();
  if (others.length === 0) return first;
  const message = `must be one of ${[...grants.keys()].join(', ')}`;
  throw new ContractError('invalid_input', 'The rules grant this job several workspaces: name one.', {
    errors: [{ code: 'required', field: 'workspace', message }],
  });
}

/** Also for a workspace that does not exist: a caller without access learns nothing about it. */
function noRule(): ContractError {
  return new ContractError('forbidden', 'No rule of this installation gives a token for these claims.');
}
