import type { ResponseOutput, routes } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { baselines, ContractError, fleet, packs, vaultKeys } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';

/** No workspace's id: what is asked with it is empty, and cheap. */
const NOWHERE = '00000000-0000-7000-8000-000000000000';
const PROBE_TIMEOUT_MS = 1_500;

type Installation = ResponseOutput<typeof routes.service.installation>;
type ServiceHealth = Installation['services'][number];

/** Tells whether every service behind the gateway answers, by asking each for something small. */
@Injectable()
export class InstallationHealth {
  constructor(private readonly bus: Bus) {}

  async read(): Promise<Installation> {
    const none = { workspace_id: NOWHERE, limit: 1 };
    const probes: Record<string, () => Promise<unknown>> = {
      'pack-registry': () => this.bus.call(packs.list, none, PROBE_TIMEOUT_MS),
      'secrets-vault': () => this.bus.call(vaultKeys.status, {}, PROBE_TIMEOUT_MS),
      scoring: () => this.bus.call(baselines.list, none, PROBE_TIMEOUT_MS),
    };
    const [executors, ...others] = await Promise.all([
      this.bus.call(fleet.list, {}, PROBE_TIMEOUT_MS).catch(asUnavailable),
      ...Object.entries(probes).map(async ([name, probe]) =>
        healthOf(name, await probe().catch(asUnavailable)),
      ),
    ]);
    return {
      services: [healthOf('run-orchestrator', executors), ...others].toSorted((a, b) =>
        a.name < b.name ? -1 : 1,
      ),
      executors: executors instanceof ContractError ? [] : executors.items,
    };
  }
}

function healthOf(name: string, reply: unknown): ServiceHealth {
  return reply instanceof ContractError
    ? { name, state: 'away', detail: reply.message }
    : { name, state: 'ready' };
}

function asUnavailable(error: unknown): ContractError {
  if (error instanceof ContractError) return error;
  throw error;
}
