import type { Duplex } from 'node:stream';
import { type AgentKind, type AttemptPlan, mayReachOut, type Policy } from '@agentclash/attempt-plan';
import type { EventPayloads } from '@agentclash/domain';
import type { Egress } from '@agentclash/egress';
import type { EgressPort, SandboxCapabilities } from '@agentclash/sandbox';
import type { Clock } from '../clock.js';
import type { AttemptEvents } from '../events/attempt-events.js';
import { AttemptEnded } from '../outcome/attempt-end.js';
import { createCanaryDetector } from '../secrets/canary-detector.js';
import type { ModelReach } from './model-reach.js';

/** Serves the connections of a sandbox's processes. */
interface OpenProxy extends EgressPort {
  close: () => void;
}

/** The egress port of a sandbox: closed, unless the agent runs. */
export class SandboxEgressPort implements EgressPort {
  #proxy: OpenProxy | undefined;

  serve(stream: Duplex): void {
    if (this.#proxy) this.#proxy.serve(stream);
    else stream.destroy();
  }

  open(proxy: OpenProxy): void {
    this.close();
    this.#proxy = proxy;
  }

  /** Ends every connection. Idempotent. */
  close(): void {
    this.#proxy?.close();
    this.#proxy = undefined;
  }
}

/** An egress port, where the policy admits one and the provider supports it; without one, processes are offline. */
export function egressPortFor(
  policy: Policy,
  agent: { kind: AgentKind },
  { egressProxy }: Pick<SandboxCapabilities, 'egressProxy'>,
): SandboxEgressPort | undefined {
  return egressProxy && mayReachOut(policy, agent.kind) ? new SandboxEgressPort() : undefined;
}

export interface ProxyContext {
  egress: Egress;
  events: AttemptEvents;
  clock: Pick<Clock, 'monotonic'>;
  /** Ends the attempt. */
  end: (reason: AttemptEnded) => void;
  reach: Pick<ModelReach, 'note'>;
}

/** The proxy of one attempt: the pack's policy, its log, and no planted value through it. */
export function openProxy(plan: AttemptPlan, { egress, events, clock, end, reach }: ProxyContext): OpenProxy {
  const canaries = createCanaryDetector(plan.planted_secrets);
  const blocked = new DeduplicatedBlockedRequests({
    record: (request) => {
      if (!events.isFull) events.record('network.request.blocked', request);
    },
    monotonic: () => clock.monotonic(),
  });
  const proxy = egress.proxy({
    policy: { kind: 'pack', allowlist: plan.sandbox.network_allowlist },
    onHop: ({ event_type, payload }) => {
      if (event_type === 'network.request.blocked') blocked.add(payload);
      else if (!events.isFull) events.record(event_type, payload);
    },
    onConnect: (connection) => reach.note(connection),
    drained: () => events.drained(),
    mayLeave: (request) => {
      const found = canaries.findInRequest(request);
      if (found.length === 0) return true;
      const rule = 'canary_in_egress';
      const detail = `a request of a process held the planted ${found.join(', ')}`;
      events.record('policy.violation', { rule, detail });
      end(new AttemptEnded({ because: 'policy', rule }));
      return false;
    },
  });
  return {
    serve: (stream) => proxy.serve(stream),
    close: () => {
      proxy.close();
      blocked.close();
    },
  };
}

type BlockedRequest = EventPayloads['network.request.blocked'];

interface Fold {
  request: BlockedRequest;
  /** Repetitions since its last event. */
  count: number;
  recordedAt: number;
}

/** Different blocked requests that are counted concurrently; of more, the oldest is recorded and its count starts again. */
const FOLDS_MAX = 256;
const RECORD_EVERY_MS = 10_000;

interface BlockedRequestsOptions {
  record: (request: BlockedRequest) => void;
  /** Milliseconds. */
  monotonic: () => number;
}

/**
 * Records the first of the same blocked requests at once and the repetitions as one event with their `count`: every ten
 * seconds while there are some, and at the end. Same are those of one method, target and reason.
 */
export class DeduplicatedBlockedRequests {
  private readonly folds = new Map<string, Fold>();
  private isClosed = false;

  constructor(private readonly options: BlockedRequestsOptions) {}

  add(request: BlockedRequest): void {
    if (this.isClosed) this.options.record(request);
    else this.fold(request);
  }

  /** Records what is counted and not recorded yet. Idempotent. */
  close(): void {
    this.isClosed = true;
    for (const fold of this.folds.values()) this.record(fold);
    this.folds.clear();
  }

  private fold(request: BlockedRequest): void {
    const { method, scheme, host, port, reason } = request;
    const key = JSON.stringify([method, scheme, host, port, reason]);
    const now = this.options.monotonic();
    const fold = this.folds.get(key);
    if (fold === undefined) {
      this.evictOldest();
      this.folds.set(key, { request, count: 0, recordedAt: now });
      this.options.record(request);
      return;
    }
    fold.count += 1;
    if (now - fold.recordedAt < RECORD_EVERY_MS) return;
    this.record(fold);
    fold.recordedAt = now;
  }

  private evictOldest(): void {
    if (this.folds.size < FOLDS_MAX) return;
    for (const [key, oldest] of this.folds) {
      this.record(oldest);
      this.folds.delete(key);
      return;
    }
  }

  private record(fold: Fold): void {
    if (fold.count === 0) return;
    const { request, count } = fold;
    fold.count = 0;
    this.options.record(count === 1 ? request : { ...request, count });
  }
}
