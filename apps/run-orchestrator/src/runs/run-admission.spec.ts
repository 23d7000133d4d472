import { describe, expect, test } from '@jest/globals';
import { publish, wordPack } from '../testing/published-pack.js';
import {
  admissionWarnings,
  capabilityFault,
  compatibilityFault,
  secretKeysOfPack,
  sizeFault,
} from './run-admission.js';

const { manifest } = publish(wordPack(1));
const native = manifest.version;
const program = { name: 'p', kind: 'program' } as const;
const scripted = { name: 's', kind: 'scripted' } as const;

describe('a pack', () => {
  test('of a mode that runs and without special wishes is admitted', () => {
    expect(capabilityFault(manifest)).toBeUndefined();
    const prompt = { ...manifest, version: { ...native, execution_mode: 'prompt_eval' as const } };
    expect(capabilityFault(prompt)).toBeUndefined();
  });

  test.each([
    ['responses', { version: { ...native, execution_mode: 'responses' as const } }],
    ['multi_turn', { version: { ...native, execution_mode: 'multi_turn' as const } }],
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
    expect(admissionWarnings(manifest, [scripted, program])).toMatchObject([
      { code: 'program_exceeds_tool_policy' },
    ]);
    expect(admissionWarnings({ ...manifest, tool_policy: { allow_shell: true } }, [program])).toEqual([]);
  });
});

test('the secrets of a pack are found anywhere in the arguments of its tools, sorted, once', () => {
  const args = {
    url: 'https://h/${path:a}?k=${query:secrets.B}',
    headers: { A: ['x ${secrets.C}', { deep: '${secrets.A} $${secrets.ESCAPED}' }] },
    '${secrets.KEY_OF_A_MEMBER}': '${secrets.B}',
  };
  const custom = [{ name: 't', implementation: { primitive: 'http_request', args } }];
  expect(secretKeysOfPack({ ...manifest, tools: { custom } })).toEqual(['A', 'B', 'C']);
  expect(secretKeysOfPack(manifest)).toEqual([]);
});
