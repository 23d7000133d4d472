import { type RunShare, SHARE_PATH } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { ContractError, runs } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { tokenHash } from '../tokens/token-text.js';
import { newShareToken } from './share-token.js';
import { SharesStore } from './shares.store.js';

const DAY_MS = 86_400_000;
const DAYS_DEFAULT = 7;
/** Valid links of one run. */
const SHARES_MAX = 50;
/** Ended links are kept for this long. */
const RETENTION_MS = 30 * DAY_MS;

export class ShareSettings {
  /** `daysMax`: how long a link may be valid; 0: there are none. */
  constructor(readonly daysMax: number) {}
}

interface OfRun {
  workspaceId: string;
  runId: string;
}

/** Links to single runs: created, listed and revoked by the workspace. */
@Injectable()
export class SharesService {
  constructor(
    private readonly store: SharesStore,
    private readonly bus: Bus,
    private readonly settings: ShareSettings,
  ) {}

  /** The only response that contains the token. */
  async create(
    of: OfRun,
    actor: string,
    expires: string | undefined,
  ): Promise<RunShare & { token: string; path: string }> {
    const expiresAt = this.expiryOf(expires);
    await this.checkRun(of);
    if ((await this.store.list(of.workspaceId, of.runId)).length >= SHARES_MAX) {
      throw new ContractError('conflict', `The run has ${SHARES_MAX} links already: revoke one first.`);
    }
    await this.store.removeEnded(new Date(Date.now() - RETENTION_MS));
    const token = newShareToken();
    const share = await this.store.add({ ...of, sha256: tokenHash(token), createdBy: actor, expiresAt });
    return { ...share, token, path: `${SHARE_PATH}#${token}` };
  }

  async list(of: OfRun): Promise<{ items: RunShare[] }> {
    const items = await this.store.list(of.workspaceId, of.runId);
    if (items.length === 0) await this.checkRun(of);
    return { items };
  }

  /** Fails with `not_found`. */
  async revoke({ workspaceId, runId }: OfRun, id: string): Promise<void> {
    if (await this.store.revoke(workspaceId, runId, id)) return;
    throw new ContractError('not_found', 'The run has no such link.');
  }

  /** Fails with `not_found` for a run of another workspace. */
  private async checkRun({ workspaceId: workspace_id, runId: run_id }: OfRun): Promise<void> {
    await this.bus.call(runs.get, { workspace_id, run_id });
  }

  private expiryOf(text: string | undefined): Date {
    const { daysMax } = this.settings;
    if (daysMax === 0) {
      throw new ContractError('forbidden', 'This installation has no links to runs (SHARE_DAYS_MAX is 0).');
    }
    const now = Date.now();
    const expiry = text === undefined ? now + Math.min(DAYS_DEFAULT, daysMax) * DAY_MS : Date.parse(text);
    // A minute for clocks that differ.
    const isTooLate = expiry > now + daysMax * DAY_MS + 60_000;
    if (expiry > now && !isTooLate) return new Date(expiry);
    const message = isTooLate ? `must be within ${daysMax} days` : 'must be in the future';
    throw new ContractError('invalid_input', `The link is not valid: expires_at ${message}.`, {
      errors: [{ code: 'out_of_range', field: 'expires_at', message }],
    });
  }
}
