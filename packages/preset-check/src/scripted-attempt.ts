import { createHash } from 'node:crypto';
import type { Preset } from '@agentclash/agent-presets';
import type { AttemptPlan } from '@agentclash/attempt-plan';
import type { AttemptEvent, ExecutionEventType, SnapshotRef, WireKey } from '@agentclash/domain';
import { createEgress, DEFAULT_EGRESS_SETTINGS } from '@agentclash/egress';
import {
  type AttemptPorts,
  type AttemptProgress,
  openHistory,
  runAttempt,
  SandboxImages,
  systemClock,
} from '@agentclash/engine';
import { type ModelAccount, openModel } from '@agentclash/models';
import type { HostDirectory, SandboxProvider } from '@agentclash/sandbox';
import { type Script, type ScriptedRequest, scriptedModel } from '@agentclash/scripted-model';

export interface ScriptedAttemptOptions {
  sandboxes: SandboxProvider;
  /** The packages of the preset. */
  directories: (preset: Preset, signal: AbortSignal) => Promise<HostDirectory[]>;
  signal: AbortSignal;
  /** Files of the deployment, by their path in the agent's folder. */
  files?: ReadonlyMap<string, Uint8Array>;
}

interface ScriptedAttempt {
  preset: Preset;
  plan: AttemptPlan;
  wire: WireKey;
  script: Script;
  /** The credential of the account, as the provider sees it. */
  key?: string;
  pricing?: ModelAccount['pricing'];
  /** One try of a model call, stream included. */
  stepTimeoutMs?: number;
}

/** The evidence that an attempt left. */
export interface AttemptEvidence {
  requests: readonly ScriptedRequest[];
  events: readonly AttemptEvent<ExecutionEventType>[];
  result: Extract<AttemptProgress, { ended: unknown }>['ended'];
}

const STEP_MS = 30_000;
/** Of each reply: a loop reaches a limit of tokens after few calls. */
const USAGE = { input: 1_200, cachedInput: 200, output: 34, reasoning: 5 };

/**
 * Drives one attempt of a coding agent with a scripted model, as the executor does: in a sandbox without a network, with
 * models from the broker. Throws what `directories` throws.
 */
export async function runScripted(
  { preset, plan, wire, script, key = 'scripted-key', pricing, stepTimeoutMs = STEP_MS }: ScriptedAttempt,
  { sandboxes, directories, signal, files = new Map() }: ScriptedAttemptOptions,
): Promise<AttemptEvidence> {
  const shown = await directories(preset, signal);
  const provider = await scriptedModel(script, { usage: USAGE });
  const egress = createEgress({
    settings: { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: ['127.0.0.0/8'] },
  });
  const events: AttemptEvent<ExecutionEventType>[] = [];
  const history = openHistory(plan, {
    clock: systemClock,
    emit: (event) => void events.push(event as AttemptEvent<ExecutionEventType>),
    secrets: { resolve: async () => [] },
  });
  try {
    const progress = await runAttempt({
      ...UNUSED,
      artifacts: { read: async ({ artifact_id }) => files.get(artifact_id) ?? (await refuse()) },
      plan,
      history,
      signal,
      sandboxes,
      images: new SandboxImages(sandboxes),
      egress,
      clock: systemClock,
      agentDirectories: async () => shown,
      openProgramModel: ({ model, provider_key: providerKey }) =>
        openModel(
          {
            id: 'scripted',
            providerKey,
            baseUrl: provider.urlOf(wire),
            openCredential: async () => ({ reveal: () => key, origins: null }),
            ...(pricing && { pricing }),
          },
          {
            model,
            runId: plan.run_id,
            egress,
            slots: { acquire: async () => ({ release: () => {} }) },
            stepTimeoutMs,
          },
        ),
    });
    signal.throwIfAborted();
    if ('parked' in progress) throw new Error('the attempt waits for a person');
    return { requests: provider.requests, events, result: progress.ended };
  } finally {
    await provider.close();
  }
}

const refuse = async (): Promise<never> => {
  throw new Error('attempts of scripted models use none');
};

/** There are no tools and patterns, and nothing of the workspace is kept. */
const UNUSED: Pick<AttemptPorts, 'argumentChecks' | 'patternSearches' | 'queryLimiter' | 'snapshots'> = {
  argumentChecks: { check: refuse },
  patternSearches: { search: refuse },
  queryLimiter: { run: refuse },
  snapshots: { put: digestOf, get: none },
};

async function* none(): AsyncGenerator<Uint8Array> {}

async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<SnapshotRef> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}
