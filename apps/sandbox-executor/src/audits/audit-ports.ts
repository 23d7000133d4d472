import { createEgress, type Egress } from '@agentclash/egress';
import { SandboxImages } from '@agentclash/engine';
import type { TrialPorts } from '@agentclash/pack-audit';
import type { SandboxProvider } from '@agentclash/sandbox';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { CpuSlots } from '../attempts/capacity/cpu-slots.js';
import { MACHINE, type Machine } from '../machine/machine.js';
import { TrialSlots } from './trial-slots.js';

/** The part of this machine that the trials of audits use: no network, no secrets, no models, and a part of its capacity. */
@Injectable()
export class AuditPorts {
  private readonly sandboxes: SandboxProvider;
  private readonly images: SandboxImages;
  private readonly egress: Egress;

  constructor(
    @Inject(MACHINE) private readonly machine: Machine,
    private readonly slots: TrialSlots,
    private readonly cpuSlots: CpuSlots,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sandboxes = withoutNetwork(machine.sandboxes);
    this.images = machine.images;
    this.egress = createEgress({ settings: { ...NOTHING_LEAVES } });
  }

  /** Trials that this machine runs at once, of all audits together. */
  get trialsMax(): number {
    return this.slots.most;
  }

  of(workspaceId: string, signal: AbortSignal): TrialPorts {
    const { auditThreads, queries, starvationMax } = this.machine;
    return {
      sandboxes: this.sandboxes,
      images: this.images,
      planning: auditThreads.planningOf(workspaceId, signal),
      egress: this.egress,
      argumentChecks: auditThreads.argumentsOf(workspaceId),
      patternSearches: auditThreads.patternsOf(workspaceId),
      queryLimiter: queries.of(workspaceId),
      starvationMax,
      takeTrial: this.slots.of(workspaceId),
      score: auditThreads.scorecardsOf(workspaceId, signal),
      takeCpu: (cpu, trial) => this.cpuSlots.take(cpu, trial),
      onError: (error) => this.logger.warn({ err: error }, 'trial failed by an internal error'),
      signal,
    };
  }
}

/** Every address is denied, beside what the plans of trials forbid already. */
const NOTHING_LEAVES = {
  privateUnlock: 'never',
  deny: ['0.0.0.0/0', '::/0'],
  ports: [],
  operatorUnlock: [],
} as const;

/** The provider, with sandboxes that have no network, whatever the plan of a trial has. */
function withoutNetwork(provider: SandboxProvider): SandboxProvider {
  return new Proxy(provider, {
    get(target, key) {
      if (key === 'create') {
        const create: SandboxProvider['create'] = (spec, options) =>
          target.create({ ...spec, network: { kind: 'none' } }, options);
        return create;
      }
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
