import type { AttemptPlan } from '@agentclash/attempt-plan';
import { Bus } from '@agentclash/bus';
import { leases } from '@agentclash/contracts';
import {
  type ArtifactReader,
  type AttemptHistory,
  type AttemptPorts,
  type ConversationState,
  openHistory,
  type SnapshotStore,
  systemClock,
} from '@agentclash/engine';
import type { ExecResult, SandboxProvider, SandboxSession } from '@agentclash/sandbox';
import {
  type Blobs,
  inSpanOfTrace,
  LOGGER,
  type Logger,
  metrics,
  openArchive,
  putArchive,
  secondsSince,
} from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { MACHINE, type Machine } from '../../machine/machine.js';
import { vaultSecrets } from '../../machine/vault-secrets.js';
import { AttemptModels } from '../../models/attempt-models.js';
import type { Holding, Lease } from '../leases/leases.loop.js';
import { EventOutbox } from '../reports/event-outbox.js';
import { Reports } from '../reports/reports.js';
import { CachedReplies, readRecording } from './recordings.js';

/** The outbox, history and ports of one delivery. */
export interface AttemptContext {
  outbox: EventOutbox;
  history: AttemptHistory;
  ports: AttemptPorts;
}

/** Joins a delivery with this machine and with the services around it. */
@Injectable()
export class AttemptContextFactory {
  constructor(
    private readonly bus: Bus,
    private readonly reports: Reports,
    private readonly models: AttemptModels,
    @Inject(MACHINE) private readonly machine: Machine,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A resumed history continues that of `state`. */
  open(
    plan: AttemptPlan,
    holding: Holding,
    { lease, state }: { lease: Lease; state?: ConversationState | undefined },
  ): AttemptContext {
    const { workspace_id, run_id, attempt_id, delivery } = plan;
    const { last_sequence: lastSequence, kept_events: keptEvents } = state ?? {};
    const outbox = new EventOutbox(
      { workspace_id, run_id, attempt_id, delivery },
      { bus: this.bus, blobs: this.machine.blobs, reports: this.reports },
      lastSequence !== undefined,
    );
    const history = openHistory(plan, {
      clock: systemClock,
      emit: outbox.add,
      drained: outbox.drained,
      eventsMax: this.machine.eventsMax + plan.files.length,
      secrets: vaultSecrets(plan, this.bus),
      ...(lastSequence !== undefined && { lastSequence }),
      keptEvents,
    });
    const { sandboxes, images, egress, blobs, untrustedThreads, queries, starvationMax, agentPackages } =
      this.machine;
    const ports: AttemptPorts = {
      sandboxes: watchedSandboxes(agentPackages.kept(sandboxes)),
      images,
      starvationMax,
      argumentChecks: untrustedThreads.argumentsOf(workspace_id),
      patternSearches: untrustedThreads.patternsOf(workspace_id),
      prepareCalls: untrustedThreads.callsOf(workspace_id),
      readModelReplies: untrustedThreads.modelRepliesOf(workspace_id),
      readMessages: untrustedThreads.messagesOf(workspace_id),
      readReplies: untrustedThreads.repliesOf(workspace_id),
      queryLimiter: queries.of(workspace_id),
      egress,
      ...blobPorts(blobs),
      ...this.models.portsOf(plan, history),
      readRecording: () => readRecording(holding, { bus: this.bus, blobs }),
      replyCache: new CachedReplies(holding, { bus: this.bus, blobs, logger: this.logger }),
      agentDirectories: (preset, signal) => agentPackages.directoriesOf(preset, signal),
      clock: systemClock,
      isPhaseRequested: async (phase_id) =>
        (await this.bus.call(leases.reachPhase, { ...holding, phase_id })).is_requested,
      peers: async () => (await this.bus.call(leases.peers, holding)).items,
      onStage: (stage) => {
        lease.reach(stage);
      },
      onError: (error) => this.logger.warn({ attempt_id, err: error }, 'attempt failed by an internal error'),
    };
    return { outbox, history, ports };
  }
}

/** Stored files and workspaces of attempts, by content, in the blob store. */
function blobPorts(blobs: Blobs): { artifacts: ArtifactReader; snapshots: SnapshotStore } {
  return {
    artifacts: { read: async ({ sha256 }) => await blobs.artifacts.get(sha256) },
    snapshots: {
      put: async (chunks) => await putArchive(blobs.evidence, chunks),
      get: ({ sha256 }) => openArchive(blobs.evidence, sha256),
    },
  };
}

type Opener = Pick<SandboxProvider, 'name' | 'create' | 'capabilities'>;
type Call = (...args: unknown[]) => Promise<unknown>;

/** The operations with a span of their own. Spans hold no commands: they are the agent's. */
const SPANS: Readonly<Record<string, string>> = {
  exec: 'sandbox exec',
  restore: 'sandbox restore',
  killAll: 'sandbox kill',
  destroy: 'sandbox destroy',
};

/** Sandboxes whose making is measured, and whose life is part of the trace that they are used in. */
function watchedSandboxes(provider: Opener): Opener {
  const { name, capabilities } = provider;
  const attributes = { 'agentclash.sandbox.provider': name };
  return {
    name,
    capabilities,
    create: async (spec, options) => {
      const startedAt = performance.now();
      const ended = (result: 'ok' | 'failed') =>
        metrics.observe(
          'agentclash_sandbox_create_duration_seconds',
          { provider: name, result },
          secondsSince(startedAt),
        );
      try {
        const session = await inSpanOfTrace('sandbox create', { kind: 'CLIENT', attributes }, () =>
          provider.create(spec, options),
        );
        ended('ok');
        return watchedSession(session);
      } catch (error) {
        ended('failed');
        throw error;
      }
    },
  };
}

function watchedSession(session: SandboxSession): SandboxSession {
  const attributes = { 'agentclash.sandbox.id': session.id, 'agentclash.sandbox.provider': session.provider };
  return new Proxy(session, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      const span = SPANS[String(key)];
      const bound = value.bind(target) as Call;
      const call = key === 'exec' ? starvationCounted(bound, session.provider) : bound;
      if (span === undefined) return call;
      return (...args: unknown[]) => inSpanOfTrace(span, { kind: 'CLIENT', attributes }, () => call(...args));
    },
  });
}

function starvationCounted(exec: Call, provider: string): Call {
  return async (...args) => {
    const result = await exec(...args);
    const { starvedMs = 0 } = result as ExecResult;
    if (starvedMs > 0)
      metrics.add('agentclash_sandbox_starved_seconds_total', { provider }, starvedMs / 1_000);
    return result;
  };
}
