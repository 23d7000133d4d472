import type { SlotOutcome } from '@agentclash/domain';
import { createEgress, DEFAULT_EGRESS_SETTINGS } from '@agentclash/egress';
import { type Script, type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import type { OpenModelOptions } from '../call/call-with-retries.js';
import type { ModelAccount } from '../model/account.js';
import { type Model, ModelCallError, type ModelRequest } from '../model/model.js';
import { openModel } from '../open-model.js';
import type { Slots } from '../rate/slots.js';

export const KEY = 'sk-test-7f3a9c5e1b';

const servers: ScriptedModel[] = [];

/** A scripted provider that lives until `closeServers`. */
export async function provider(script?: Script): Promise<ScriptedModel> {
  const server = await scriptedModel(script);
  servers.push(server);
  return server;
}

export async function closeServers(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.close()));
}

/** Providers whose wire formats the fake server implements. */
export const WIRES = ['openai', 'anthropic', 'openai_compatible'] as const;
/** Providers whose SDKs parse the fake server's errors and plain text. */
export const UNDERSTOOD = [...WIRES, 'xai', 'mistral'] as const;

export function account(
  providerKey: string,
  baseUrl: string,
  more: Partial<ModelAccount> = {},
): ModelAccount {
  const openCredential = async () => ({ reveal: () => KEY, origins: null });
  return { id: 'account-1', providerKey, baseUrl, openCredential, ...more };
}

/** Grants at once and records how each slot was released. */
export function openSlots(): Slots & { released: [SlotOutcome, number?][] } {
  const released: [SlotOutcome, number?][] = [];
  return {
    released,
    acquire: async () => ({
      release: (outcome, retryAfterMs) => {
        released.push(retryAfterMs === undefined ? [outcome] : [outcome, retryAfterMs]);
      },
    }),
  };
}

/** An egress guard that allows providers on loopback. */
const loopbackEgress = createEgress({
  settings: { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: ['127.0.0.0/8'] },
});

/** Retries without delay, unless a test sets a clock. */
export function open(of: ModelAccount, more: Partial<OpenModelOptions> = {}): Model {
  const clock = { now: () => Date.now(), monotonic: () => performance.now(), sleep: async () => {} };
  return openModel(of, {
    model: 'test-model',
    runId: 'run-1',
    egress: loopbackEgress,
    slots: openSlots(),
    stepTimeoutMs: 20_000,
    clock,
    ...more,
  });
}

export function requestOf(text = 'hello', more: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [{ role: 'user', text }], tools: [], signal: new AbortController().signal, ...more };
}

/** The failure of a call that must not succeed. */
export async function failureOf(call: Promise<unknown>): Promise<ModelCallError> {
  const outcome = await call.catch((error: unknown) => error);
  if (outcome instanceof ModelCallError) return outcome;
  throw new Error('the call did not fail as a model call does', { cause: outcome });
}
