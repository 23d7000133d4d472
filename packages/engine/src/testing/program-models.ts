import type { ModelConnection, ProgramModels } from '@agentclash/attempt-plan';
import { createEgress, DEFAULT_EGRESS_SETTINGS } from '@agentclash/egress';
import { openModel } from '@agentclash/models';
import type { AttemptPorts } from '../attempt/ports.js';
import { unlessAborted } from '../outcome/attempt-end.js';

/** The models of a program's configuration: one, with the alias `fast`. */
export const FAST_MODEL: ProgramModels = {
  main: {
    alias: 'fast',
    provider_account_id: 'account-1',
    provider_key: 'openai_compatible',
    model: 'real-1',
  },
};

type OpenModelSlots = Parameters<typeof openModel>[1]['slots'];
const UNLIMITED: OpenModelSlots = { acquire: async () => ({ release: () => {} }) };

/** An account with one slot, given in the order of requests. */
export function oneSlot(): OpenModelSlots {
  let last: Promise<void> = Promise.resolve();
  return {
    async acquire({ signal }) {
      const before = last;
      const held = Promise.withResolvers<void>();
      last = before.then(() => held.promise);
      await unlessAborted(before, signal).catch((error: unknown) => {
        held.resolve();
        throw error;
      });
      return { release: () => held.resolve() };
    },
  };
}

interface ModelPortsOptions {
  key: string;
  runId: string;
  slots?: OpenModelSlots;
  stepTimeoutMs?: number;
}

/** Opens the models of agents at a provider on loopback, with a key and without limits, unless slots are given. */
export function modelPortsAt(
  baseUrl: string,
  { key, runId, slots = UNLIMITED, stepTimeoutMs = 20_000 }: ModelPortsOptions,
): Required<Pick<AttemptPorts, 'openModel' | 'openProgramModel'>> {
  const egress = createEgress({ settings: { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: ['127.0.0.0/8'] } });
  const open = ({ model, provider_key: providerKey }: ModelConnection) =>
    openModel(
      {
        id: 'account-1',
        providerKey,
        baseUrl,
        openCredential: async () => ({ reveal: () => key, origins: null }),
      },
      {
        model,
        runId,
        egress,
        slots,
        stepTimeoutMs,
        clock: { now: () => Date.now(), monotonic: () => performance.now(), sleep: async () => {} },
      },
    );
  return { openModel: open, openProgramModel: open };
}
