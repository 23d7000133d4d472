import type { Manifest } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { publish, wordPack } from '../testing/published-pack.js';
import {
  admissionWarnings,
  capabilityFault,
  compatibilityFault,
  Installation,
  sizeFault,
} from './run-admission.js';

type Agent = Parameters<typeof compatibilityFault>[1][number];

const { manifest } = publish(wordPack(1));
const native = manifest.version;
const program = { name: 'p', kind: 'program', profile: null } as const;
const scripted = { name: 's', kind: 'scripted', profile: null } as const;

describe('a pack', () => {
  test('of a mode that runs and without special wishes is admitted', () => {
    expect(capabilityFault(manifest)).toBeUndefined();
    for (const execution_mode of ['prompt_eval', 'multi_turn'] as const) {
      expect(capabilityFault({ ...manifest, version: { ...native, execution_mode } })).toBeUndefined();
    }
  });

  test.each([
    ['responses', { version: { ...native, execution_mode: 'responses' as const } }],
    ['voice', { modality: 'voice' as const }],
    ['jq', { sandbox: { additional_packages: ['jq'] } }],
    ['tpl-1', { sandbox: { sandbox_template_id: 'tpl-1' } }],
  ])('that needs %s is refused, and the refusal says so', (what, changes) => {
    const fault = capabilityFault({ ...manifest, ...changes });
    expect(fault).toMatchObject({ code: 'unsupported_capability', message: expect.stringContaining(what) });
  });

  test.each([
    [100_000, undefined],
    [100_001, 'invalid_input'],
  ])('is run in %d attempts: %s', (cases, code) => {
    expect(sizeFault({ agents: 1, cases, repetitions: 1 })?.code).toBe(code);
  });

  test('of mode prompt_eval takes no program', () => {
    const prompt = { ...manifest, version: { ...native, execution_mode: 'prompt_eval' as const } };
    expect(compatibilityFault(prompt, [scripted, program])).toMatchObject({
      code: 'incompatible_deployment',
      message: expect.stringContaining('"p"'),
    });
    expect(compatibilityFault(prompt, [scripted])).toBeUndefined();
    expect(compatibilityFault(manifest, [program])).toBeUndefined();
  });

  test('without shell warns about programs, one with shell does not', () => {
    const codes = (pack: Manifest) =>
      admissionWarnings(pack, [scripted, program], new Installation(false)).map(({ code }) => code);
    expect(codes(manifest)).toEqual(['program_exceeds_tool_policy']);
    expect(codes({ ...manifest, tool_policy: { allow_shell: true } })).toEqual([]);
  });

  test('with network warns where it does not reach the processes that some agent can start', () => {
    const online: Manifest = {
      ...manifest,
      sandbox: { network_access: true },
      tool_policy: { allow_shell: true },
    };
    const warned = (pack: Manifest, agent: Agent, hasProxy: boolean) =>
      admissionWarnings(pack, [agent], new Installation(hasProxy)).some(
        ({ code }) => code === 'sandbox_offline',
      );
    expect(warned(online, program, false)).toBe(true);
    expect(warned(online, scripted, false)).toBe(true);
    expect(warned(online, program, true)).toBe(false);
    expect(warned({ ...online, sandbox: { network_access: false } }, program, false)).toBe(false);
    expect(warned(online, { ...scripted, profile: { tool_policy: { allow_shell: false } } }, false)).toBe(
      false,
    );
    expect(warned(online, { ...scripted, kind: 'endpoint' }, false)).toBe(false);
  });
});
