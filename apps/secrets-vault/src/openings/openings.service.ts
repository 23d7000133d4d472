import { Bus } from '@agentclash/bus';
import { canonicalJson } from '@agentclash/challengepack';
import {
  ContractError,
  deliveries,
  type In,
  type Out,
  type ResolveRequest,
  type vault,
} from '@agentclash/contracts';
import { LOGGER, type Logger, sealFor } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { SecretsService, sortedNames, unboundOf } from '../secrets/secrets.service.js';
import { type Grant, type Holder, OpeningsStore } from './openings.store.js';

type Work = In<typeof deliveries.live>['work'];

/** Who opens secrets for which work, and whose grants count for it. */
const WORK: Record<Work, { actor: string; holders: (runAgentId: string) => Holder[] }> = {
  execution: { actor: 'sandbox-executor', holders: (runAgentId) => ['run', runAgentId] },
  judging: { actor: 'scoring', holders: () => ['judges'] },
};

/** Grants secrets to runs and opens granted ones for active deliveries, sealed to the key of the requester. */
@Injectable()
export class OpeningsService {
  constructor(
    private readonly store: OpeningsStore,
    private readonly secrets: SecretsService,
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Fails with `missing_secret` and `secret_too_short`, naming the keys. */
  async grant(request: In<typeof vault.grant>): Promise<Out<typeof vault.grant>> {
    const grants = grantsOf(request);
    const found = await this.secrets.findAll(request.workspace_id, [
      ...new Set(grants.map(({ key }) => key)),
    ]);
    assertRedactable(found);
    await this.store.grant(request.workspace_id, request.run_id, grants);
    return { unbound: unboundOf(found) };
  }

  async revoke(workspaceId: string, runId: string): Promise<void> {
    await this.store.revoke(workspaceId, runId);
  }

  async open(request: ResolveRequest, work: Work): Promise<Out<typeof vault.resolve>> {
    const { workspace_id: workspaceId, run_id: runId, attempt_id: attemptId, delivery } = request;
    await this.assertGranted(request, work);
    const opened = await this.secrets.reveal(workspaceId, request.keys);
    // On record before the values leave: an opening without its entry must not happen, one too many may.
    await this.store.record({
      workspaceId,
      runId,
      attemptId,
      delivery,
      actor: WORK[work].actor,
      secrets: opened,
    });
    const values = opened.map(({ key, hosts, binding, value }) => ({
      key,
      value_base64: value.toString('base64'),
      hosts,
      binding,
    }));
    return await sealFor(request.recipient, Buffer.from(JSON.stringify(values)), canonicalJson(request));
  }

  /** The orchestrator decides whether the delivery is active and whose it is; the identity of the caller is not used. */
  private async assertGranted(request: ResolveRequest, work: Work): Promise<void> {
    const { workspace_id, run_id, attempt_id, delivery, keys } = request;
    const identity = { workspace_id, run_id, attempt_id, delivery };
    const { run_agent_id } = await this.bus.call(deliveries.live, { ...identity, work });
    const granted =
      run_agent_id === null
        ? undefined
        : await this.store.grantedKeys(workspace_id, run_id, WORK[work].holders(run_agent_id));
    const refused = keys.filter((key) => !granted?.has(key));
    if (refused.length === 0) return;
    this.logger.warn(
      { ...identity, work, secret_keys: refused, is_at_work: granted !== undefined },
      'secret opening rejected',
    );
    throw new ContractError(
      'secret_not_granted',
      granted === undefined
        ? `Delivery ${delivery} of attempt ${attempt_id} is not at work.`
        : `This attempt may not open ${sortedNames(refused)}.`,
      { keys: refused },
    );
  }
}

/** Shorter values occur in ordinary text by chance and cannot be redacted. */
const REDACTABLE_BYTES_MIN = 4;

/** The single grants of a request. */
function grantsOf({ keys, agents = [], judges = [] }: In<typeof vault.grant>): Grant[] {
  const to = (holder: Holder, granted: readonly string[]) => granted.map((key) => ({ holder, key }));
  return [
    ...to('run', keys),
    ...agents.flatMap(({ run_agent_id, keys }) => to(run_agent_id, keys)),
    ...to('judges', judges),
  ];
}

/** Fails with `secret_too_short` for values that could not be redacted, naming them. */
function assertRedactable(secrets: readonly { key: string; valueBytes: number }[]): void {
  const short = secrets.filter(({ valueBytes }) => valueBytes < REDACTABLE_BYTES_MIN).map(({ key }) => key);
  if (short.length === 0) return;
  throw new ContractError(
    'secret_too_short',
    `Secrets under ${REDACTABLE_BYTES_MIN} bytes: ${sortedNames(short)}.`,
    { keys: short.sort() },
  );
}
