import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtinPresets, type Preset } from '@agentclash/agent-presets';
import { NpmLayers } from '@agentclash/agent-presets/layers';
import { layersOfPreset } from '@agentclash/agent-presets/preset-layers';
import type { AttemptLimits } from '@agentclash/domain';
import {
  type BubblewrapProvider,
  createBubblewrapProvider,
  sharedPackagesDirectory,
} from '@agentclash/sandbox';
import type { Script } from '@agentclash/scripted-model';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { checkPreset } from './check-preset.js';
import { directoriesOfLayers } from './directories.js';
import { runScripted } from './scripted-attempt.js';
import { newMarks, smallTask } from './small-task.js';

// The packages of all agents have 900 MiB; a registry may be far.
jest.setTimeout(900_000);

const { AGENT_PACKAGES_DIR, AGENT_PACKAGES_REGISTRY, AGENT_PACKAGES_TOKEN } = process.env;
/** Found nowhere but at the provider. */
const CANARY = 'sk-canary-5c0d2f71e8';
/** An agent that is stopped ends soon after, also on a busy machine. */
const SECONDS_MAX = 60;

const presets = [...builtinPresets().values()];
const layers = new NpmLayers({
  directory: AGENT_PACKAGES_DIR ?? sharedPackagesDirectory(),
  registry: AGENT_PACKAGES_REGISTRY ?? 'https://registry.npmjs.org',
  token: AGENT_PACKAGES_TOKEN,
});
const { signal } = new AbortController();
const stateDir = mkdtempSync(path.join(tmpdir(), 'coding-agents-'));
let sandboxes: BubblewrapProvider;
beforeAll(async () => {
  // Sandboxes of root read it under users of their own.
  chmodSync(stateDir, 0o755);
  sandboxes = await createBubblewrapProvider({ stateDir, cgroupName: path.basename(stateDir) });
  for (const preset of presets) await directories(preset);
});
afterAll(async () => {
  await sandboxes.close();
  rmSync(stateDir, { recursive: true, force: true });
});

async function directories(preset: Preset) {
  const needed = layersOfPreset(preset).map(({ content }) => layers.ensure(content, { signal }));
  return directoriesOfLayers(preset, await Promise.all(needed));
}

/** Runs an agent with limits, against a model that follows a script. */
async function run(preset: Preset, script: Script, limits: Partial<AttemptLimits> = {}) {
  const [wire = 'chat'] = preset.wires;
  const plan = smallTask(preset, { wire, marks: newMarks() });
  const evidence = await runScripted(
    {
      preset,
      plan: { ...plan, limits: { ...plan.limits, max_iterations: 1_000, ...limits } },
      wire,
      script,
      key: CANARY,
      stepTimeoutMs: 4_000,
      pricing: { models: [{ ...PRICE, provider_key: plannedProvider(plan), provider_model_id: 'scripted' }] },
    },
    { sandboxes, directories, signal },
  );
  expect(JSON.stringify([evidence.events, evidence.result])).not.toContain(CANARY);
  expect(JSON.stringify(evidence.requests.at(-1)?.headers)).toContain(CANARY);
  return evidence;
}

const PRICE = { input_cost_per_million_tokens: 10, output_cost_per_million_tokens: 10 };

function plannedProvider({ agent }: ReturnType<typeof smallTask>): string {
  return agent.kind === 'program' ? (agent.config.models?.main.provider_key ?? '') : '';
}

/** Calls the shell without end. */
const loop: Script = ({ tools, resultCount }) =>
  tools.length === 0 ? { text: 'A title' } : { run: `echo turn ${resultCount}` };

const names = presets.map((preset) => [preset.name, preset] as const);

describe('A real coding agent', () => {
  test.each(names)('The agent %s works by every API that its preset names', async (_name, preset) => {
    for (const wire of preset.wires) {
      const checks = await checkPreset(preset, { sandboxes, directories, signal, wire });
      expect({ wire, problems: checks.filter(({ state }) => state !== 'ok') }).toEqual({
        wire,
        problems: [],
      });
    }
  });

  const ofAcp = names.filter(([, { acp }]) => acp !== undefined);
  test.each(ofAcp)(
    'The agent %s works by ACP with every API that its preset names',
    async (_name, preset) => {
      for (const wire of preset.wires) {
        const checks = await checkPreset(preset, { sandboxes, directories, signal, wire, isAcp: true });
        expect({ wire, problems: checks.filter(({ state }) => state !== 'ok') }).toEqual({
          wire,
          problems: [],
        });
      }
    },
  );

  test.each(names)('A loop of the agent %s is stopped by its limit of calls', async (_name, preset) => {
    const { result, requests } = await run(preset, loop, { max_iterations: 5 });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'iterations' });
    expect(requests).toHaveLength(5);
    expect(result.latency_ms).toBeLessThan(SECONDS_MAX * 1_000);
  });

  test.each(names)('A loop of the agent %s is stopped by its limit of tokens', async (_name, preset) => {
    const { result, requests } = await run(preset, loop, { max_total_tokens: 150_000 });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'tokens' });
    expect(result.error?.message).toContain('the limit of 150,000 tokens (max_total_tokens) is too small');
    expect(requests.length).toBeGreaterThan(1);
    expect(result.latency_ms).toBeLessThan(SECONDS_MAX * 1_000);
  });

  test.each(names)('A loop of the agent %s is stopped by its limit of cost', async (_name, preset) => {
    const { result } = await run(preset, loop, { max_cost_usd: 1.5 });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'cost' });
    expect(result.cost_usd).toBeGreaterThan(0);
    expect(result.cost_usd).toBeLessThan(1.5);
    expect(result.latency_ms).toBeLessThan(SECONDS_MAX * 1_000);
  });

  test.each(names)('A command of the agent %s that hangs is stopped by its time', async (_name, preset) => {
    const hang: Script = ({ tools }) =>
      tools.length === 0 ? { text: 'A title' } : { run: 'tail -f /dev/null' };
    const { result } = await run(preset, hang, { run_timeout_seconds: 12 });
    expect(result).toMatchObject({ outcome: 'limit_reached', limit_kind: 'time' });
    expect(result.latency_ms).toBeLessThan(SECONDS_MAX * 1_000);
  });

  const FAILURES: [string, Script, object][] = [
    ['a 401', () => ({ status: 401 }), { code: 'auth', retryable: false }],
    ['a 429 without end', () => ({ status: 429, headers: { 'retry-after': '0' } }), { code: 'rate_limit' }],
    ['a 500 without end', () => ({ status: 500 }), { code: 'unavailable' }],
    ['cut streams', () => ({ text: 'a text that is cut', ending: 'cut' }), { code: 'unavailable' }],
    ['stalled streams', () => ({ text: 'a text that stalls', ending: 'stall' }), {}],
  ];
  test.each(
    FAILURES.flatMap(([what, script, error]) =>
      names.map(([name, preset]) => [what, name, { preset, script, error }] as const),
    ),
  )(
    'An attempt with %s of the provider is no failure of the agent %s',
    async (_what, _name, { preset, script, error }) => {
      const { result } = await run(preset, script, { run_timeout_seconds: 60 });
      expect(result).toMatchObject({ outcome: 'provider_error', snapshot: null, error });
    },
  );

  test.each(names)(
    'A request of the agent %s that only the provider refuses ends as its own',
    async (_name, preset) => {
      // The control call has no tools; the agent's requests have.
      const refuse: Script = ({ tools }) =>
        tools.length === 0 ? { text: 'OK' } : { status: 403, error: { message: 'the beta is not enabled' } };
      const { result, events } = await run(preset, refuse, { run_timeout_seconds: 60 });
      expect(result.outcome).not.toBe('provider_error');
      const failed = events.filter(({ event_type }) => event_type === 'model.call.failed');
      expect(failed[0]?.payload).toMatchObject({ status: 403, caused_by_request: true });
    },
  );
});
