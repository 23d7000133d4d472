import { createHash } from 'node:crypto';
import type { Preset } from '@agentclash/agent-presets';
import type { AttemptEvent, ExecutionEventType, SnapshotRef, WireKey } from '@agentclash/domain';
import { createEgress, DEFAULT_EGRESS_SETTINGS } from '@agentclash/egress';
import { type AttemptPorts, openHistory, runAttempt, systemClock } from '@agentclash/engine';
import { openModel } from '@agentclash/models';
import type { HostDirectory, SandboxProvider } from '@agentclash/sandbox';
import { scriptedModel } from '@agentclash/scripted-model';
import { findings, type PresetCheck } from './findings.js';
import { newMarks, smallScript, smallTask } from './small-task.js';

export interface CheckOptions {
  sandboxes: SandboxProvider;
  /** The packages of the preset. */
  directories: (preset: Preset, signal: AbortSignal) => Promise<HostDirectory[]>;
  signal: AbortSignal;
  /** Default: the preferred one of the preset. */
  wire?: WireKey;
}

const KEY = 'scripted-key';
const STEP_MS = 30_000;

/**
 * Runs a preset on a small task with a scripted model, as attempts run: in a sandbox without a network, with models from
 * the broker. Throws what `directories` throws.
 */
export async function checkPreset(preset: Preset, options: CheckOptions): Promise<PresetCheck[]> {
  const { sandboxes, signal } = options;
  const [preferred = 'chat'] = preset.wires;
  const { wire = preferred } = options;
  const directories = await options.directories(preset, signal);
  const marks = newMarks();
  const plan = smallTask(preset, wire, marks);
  const provider = await scriptedModel(smallScript(marks));
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
      plan,
      history,
      signal,
      sandboxes,
      egress,
      clock: systemClock,
      agentDirectories: async () => directories,
      openProgramModel: ({ model, provider_key: providerKey }) =>
        openModel(
          {
            id: 'scripted',
            providerKey,
            baseUrl: provider.urlOf(wire),
            openCredential: async () => ({ reveal: () => KEY, origins: null }),
          },
          {
            model,
            runId: plan.run_id,
            egress,
            slots: { acquire: async () => ({ release: () => {} }) },
            stepTimeoutMs: STEP_MS,
          },
        ),
    });
    signal.throwIfAborted();
    if ('parked' in progress) throw new Error('the attempt waits for a person');
    return findings({ preset, marks, requests: provider.requests, events, result: progress.ended });
  } finally {
    await provider.close();
  }
}

const refuse = async () => {
  throw new Error('the small task uses none');
};

/** The task has no files, tools and patterns, and nothing of its workspace is kept. */
const UNUSED: Pick<
  AttemptPorts,
  'artifacts' | 'argumentChecks' | 'patternSearches' | 'queryLimiter' | 'snapshots'
> = {
  artifacts: { read: refuse },
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
