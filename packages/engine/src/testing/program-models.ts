import type { ProgramModels } from '@agentclash/attempt-plan';
import { createEgress, DEFAULT_EGRESS_SETTINGS } from '@agentclash/egress';
import { openModel } from '@agentclash/models';
import type { AttemptPorts } from '../attempt/ports.js';

/** The models of a program's configuration: one, with the alias `fast`. */
export const FAST_MODEL: ProgramModels = {
  main: {
    alias: 'fast',
    provider_account_id: 'account-1',
    provider_key: 'openai_compatible',
    model: 'real-1',
  },
};

/** Opens the models of programs at a provider on loopback, with a key and without limits. */
export function modelPortsAt(
  baseUrl: string,
  { key, runId }: { key: string; runId: string },
): Pick<AttemptPorts, 'openProgramModel'> {
  const egress = createEgress({ settings: { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: ['127.0.0.0/8'] } });
  return {
    openProgramModel: ({ model, provider_key: providerKey }) =>
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
          slots: { acquire: async () => ({ release: () => {} }) },
          stepTimeoutMs: 20_000,
          clock: { now: () => Date.now(), monotonic: () => performance.now(), sleep: async () => {} },
        },
      ),
  };
}
