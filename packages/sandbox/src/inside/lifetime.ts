import type { SandboxDeath } from '../contract.js';
import { type InsideClient, TIMER_MAX_MS } from './client.js';

/** Exit code of the process inside when its lease has run out; `enum agent_end` in `native/wire.h`. */
export const LEASE_EXIT = 41;
/** By which it refuses to begin: commands could open its streams. */
export const EXPOSED_EXIT = 45;
/** The process inside ends by itself so much later than the host would end it, in case the host cannot. */
const INSIDE_SLACK_MS = 2_000;

/** Ends a sandbox when its lease is not renewed or its wall time is over. */
export class Lifetime {
  readonly #wallUntil: number;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(
    private readonly client: InsideClient,
    private readonly spec: { leaseMs: number; limits: { wallMs?: number } },
    private readonly onOver: (cause: SandboxDeath) => void,
  ) {
    this.#wallUntil = performance.now() + (spec.limits.wallMs ?? Number.POSITIVE_INFINITY);
    this.#schedule(spec.leaseMs);
  }

  renew(leaseMs: number = this.spec.leaseMs): void {
    if (this.#isStopped) return;
    const wallLeftMs = this.#schedule(leaseMs);
    this.client.setLease(Math.min(leaseMs, wallLeftMs) + INSIDE_SLACK_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(leaseMs: number): number {
    const wallLeftMs = Math.max(1, this.#wallUntil - performance.now());
    const cause = wallLeftMs < leaseMs ? 'wall_time' : 'lease_expired';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.onOver(cause), Math.min(leaseMs, wallLeftMs, TIMER_MAX_MS));
    this.#timer.unref();
    return wallLeftMs;
  }
}

/** The lease that the process inside starts with. */
export function firstInsideLeaseMs(spec: { leaseMs: number; limits: { wallMs?: number } }): number {
  return (
    Math.min(spec.leaseMs, spec.limits.wallMs ?? Number.POSITIVE_INFINITY, TIMER_MAX_MS) + INSIDE_SLACK_MS
  );
}
