import type { PlannedAgent } from '@agentclash/attempt-plan';
import type { ProxyConnection } from '@agentclash/egress';
import type { AttemptEnd } from '../outcome/attempt-end.js';

const TLS_PORT = 443;

/**
 * Records failures of a program to reach the hosts of its model. The deployment names them, so that no program can
 * become missing data by requesting hosts that do not exist.
 */
export class ModelReach {
  private readonly hosts: ReadonlySet<string>;
  private failure: string | undefined;
  private isReached = false;

  constructor(agent: PlannedAgent) {
    const named = agent.kind === 'program' ? (agent.config.model_hosts ?? []) : [];
    this.hosts = new Set(
      named.map((host) => (host.includes(':') ? host : `${host}:${TLS_PORT}`).toLowerCase()),
    );
  }

  /**
   * The end of an attempt whose sandbox has no network to reach the model; undefined where it has one, or needs none.
   */
  endWithoutEgress(hasEgress: boolean): AttemptEnd | undefined {
    if (hasEgress || this.hosts.size === 0) return undefined;
    const message = 'the pack allows no network, which the program needs to reach its model';
    return { because: 'provider', class: 'egress_blocked', message };
  }

  note({ host, port, failure }: ProxyConnection): void {
    const name = `${host}:${port}`;
    if (!this.hosts.has(name)) return;
    if (failure === undefined) this.isReached = true;
    else this.failure ??= `${name}: ${failure}`;
  }

  /** The cause of an end that seems the program's own: a model to which no connection succeeded. */
  explain(end: AttemptEnd): AttemptEnd {
    if (this.failure === undefined || this.isReached || !isOfWaiting(end)) return end;
    const message = `the program's model could not be reached: ${this.failure}`;
    return { because: 'provider', class: 'unavailable', message };
  }
}

/** It waited until its time was up, or gave up by its exit code. */
function isOfWaiting(end: AttemptEnd): boolean {
  if (end.because === 'limit') return end.limit === 'time';
  return end.because === 'agent_error' && end.code === 'exit_nonzero';
}
