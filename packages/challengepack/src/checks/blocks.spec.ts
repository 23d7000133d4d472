import { describe, expect, test } from '@jest/globals';
import { findingsIn, remove, set } from '../testing/example-pack.js';

const VERSION = 'version';

describe('execution modes', () => {
  test('a faulty execution mode is the only problem with the mode', () => {
    expect(findingsIn([set('version.execution_mode', 'exotic'), set('tools', { custom: [] })])).toEqual([
      'version.execution_mode unknown_value',
    ]);
  });

  test('a block without a known key conflicts with nothing, and an empty sandbox conflicts', () => {
    const patches = [
      set('version.execution_mode', 'prompt_eval'),
      set('tools', {}),
      set('version.tool_policy', {}),
    ];
    expect(findingsIn(patches)).toEqual([]);
    expect(findingsIn([...patches, set('version.sandbox', {})])).toEqual(['version.sandbox mode_conflict']);
    expect(findingsIn([...patches, set('version.sandbox', null)])).toEqual([]);
  });

  test('instructions that could not be read are not also missing', () => {
    expect(
      findingsIn([set('version.execution_mode', 'responses'), set('challenges[0].instructions', ['x'])]),
    ).toEqual(['challenges[0].instructions type_mismatch']);
  });
});

describe('keys in the wrong place', () => {
  test('a required block that is written elsewhere is not also missing', () => {
    expect(
      findingsIn([
        remove('version.evaluation_spec'),
        set('evaluation_spec', {}),
        remove('challenges'),
        set('version.challenges', []),
      ]),
    ).toEqual(['version.challenges misplaced_key', 'evaluation_spec misplaced_key']);
  });

  test('an empty block at its own place is missing all the same', () => {
    expect(findingsIn([set('challenges', []), set('version.challenges', [])])).toEqual([
      'version.challenges misplaced_key',
      'challenges required',
    ]);
  });

  test('below a dropped key only its repeated keys are checked', () => {
    expect(findingsIn([set('pack.other', { a: [null, { slug: 5 }] })])).toEqual(['pack.other unknown_key']);
  });
});

describe('policy', () => {
  test.each([
    [{ tool_policy: { allow_network: true } }, ['tool_policy.allow_network value_ignored']],
    [{ tool_policy: { allow_network: false } }, []],
    [
      { sandbox: { network_access: 'yes', network_allowlist: ['10.0.0.0/8'] } },
      ['sandbox.network_access type_mismatch'],
    ],
    [
      { tool_policy: { allowed_tool_kinds: ['shell', 'SHELL'], allow_shell: false } },
      ['tool_policy.allow_shell contradiction'],
    ],
    [{ filesystem: { working_directory: null } }, ['filesystem.working_directory type_mismatch']],
    [
      { filesystem: { readable_roots: ['/a/../b', ''] } },
      ['filesystem.readable_roots[0] unsafe_path', 'filesystem.readable_roots[1] required'],
    ],
    [
      { sandbox: { env_vars: { A: null, B: '', '': 'x' } } },
      ['sandbox.env_vars["A"] type_mismatch', 'sandbox.env_vars[""] malformed'],
    ],
    [
      { sandbox: { env_vars: { A: '${x} workspace-secret://y' } } },
      ['sandbox.env_vars["A"] env_placeholder', 'sandbox.env_vars["A"] wrong_reference'],
    ],
    [{ deployment_defaults: { lineups: {} } }, []],
    [{ deployment_defaults: { lineups: { a: ['x'] } } }, ['deployment_defaults.lineups["default"] required']],
    [
      { deployment_defaults: { lineups: { default: ['x'], ' default': ['y'] } } },
      ['deployment_defaults.lineups[" default"] not_unique'],
    ],
    [
      { deployment_defaults: { lineups: 5, aliases: { a: 'b' } } },
      ['deployment_defaults.lineups type_mismatch'],
    ],
  ])('the blocks %j have the problems %j', (blocks, findings) => {
    const patches = Object.entries(blocks).map(([name, value]) => set(`${VERSION}.${name}`, value));
    expect(findingsIn(patches)).toEqual(findings.map((finding) => `${VERSION}.${finding}`));
  });
});

describe('security and voice', () => {
  test.each([
    [{ planted_secrets: [{ name: '1x', value: 'v', location: 'tool-output' }] }, []],
    [
      { planted_secrets: [{ name: '1x', value: 'v', location: 'env' }] },
      ['planted_secrets[0].name malformed'],
    ],
    [
      { planted_secrets: [{ name: 'x', value: 'v', location: 'file' }] },
      ['planted_secrets[0].file_path required'],
    ],
    [
      { planted_secrets: [{ name: 'x', value: 'v', location: 'Infisical-Mock' }] },
      ['planted_secrets[0].location value_ignored'],
    ],
    [{ forbidden_outputs: [{ description: 'd', pattern: ' ', substring: 's' }] }, []],
    [
      { forbidden_outputs: [{ description: 'd', pattern: [] }] },
      ['forbidden_outputs[0].pattern type_mismatch'],
    ],
    [{ adversarial_prompts: [{ name: 'n', text: ' ' }] }, ['adversarial_prompts[0].text required']],
  ])('the security block %j has the problems %j', (security, findings) => {
    expect(findingsIn([set('security', security)])).toEqual(findings.map((finding) => `security.${finding}`));
  });

  test('voice blocks are checked in voice packs only', () => {
    const blocks = [set('interface_spec', { transports: 5 }), set('scenario', null)];
    expect(findingsIn([...blocks, set('modality', 'text')])).toEqual(['modality unknown_value']);
    expect(findingsIn([...blocks, set('modality', 'voice')])).toEqual([
      'scenario required',
      'interface_spec.channel_profile required',
      'interface_spec.transports type_mismatch',
    ]);
  });
});
