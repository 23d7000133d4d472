import { describe, expect, test } from '@jest/globals';
import { readPack } from '../read/read-pack.js';

const pack = ({ version = '', rest = '', more = '', dimensions = '[correctness]' }) => `
pack: {slug: p, name: P, family: demo}
version:
  number: 1
${version}
  evaluation_spec:
    name: s
    version_number: 1
    judge_mode: deterministic
    validators: [{key: exact, type: exact_match, target: final_output, expected_from: case.expectations.result}]
    scorecard: {pass_threshold: 1, dimensions: ${dimensions}}
challenges: [{key: c, title: C, category: x, difficulty: easy, instructions: Repeat it.}]
${rest}
input_sets:
  - key: default
    name: D
    cases:
      - challenge_key: c
        case_key: one
        expectations: [{key: result, kind: text, value: a}]
${more}
`;
const found = (parts: Parameters<typeof pack>[0]) =>
  readPack(pack(parts)).problems.map(({ code, severity, field }) => [code, severity, field]);

const SIMULATOR = `
        user_simulator:
          schema_version: 1
          kind: hybrid
          phases: [{id: open, actor: scripted, turns: [{message: Hi}]}]`;
const AT = 'input_sets[0].cases[0].user_simulator';

const VOICE = `modality: voice
interface_spec: {transports: [text_sim], channel_profile: phone, supports_barge_in: true}
scenario: {persona: p, language: en, max_turns: 4, max_duration_ms: 60000}`;

describe('what nothing acts upon', () => {
  test('a member of an archive is no expectation: it is refused with the replacement to write', () => {
    const more = `
      - challenge_key: c
        case_key: two
        expectations: [{key: result, kind: text, artifact_key: gold, path: a.txt}]
        assets: [{key: gold, path: gold.zip}]`;
    const { valid, problems } = readPack(pack({ more }));
    expect(valid).toBe(false);
    expect(problems).toContainEqual(
      expect.objectContaining({
        code: 'not_implemented',
        field: 'input_sets[0].cases[1].expectations[0].path',
        message: expect.stringContaining('an asset of its own'),
      }),
    );
  });

  test('calibration and an arena of people are refused with the reason when enabled, and nothing when not', () => {
    const version = '  execution_mode: multi_turn';
    const ratings = (enabled: boolean) => `${SIMULATOR}
          calibration: {enabled: ${enabled}, sample_rate: 0.5}
          post_run: {arena: {enabled: ${enabled}}}`;
    const { valid, problems } = readPack(pack({ version, more: ratings(true) }));
    expect(valid).toBe(false);
    expect(problems.map(({ code, severity, field, message }) => [code, severity, field, message])).toEqual([
      ['not_implemented', 'error', `${AT}.calibration`, expect.stringContaining('rating by people')],
      ['not_implemented', 'error', `${AT}.post_run.arena`, expect.stringContaining('enabled: false')],
    ]);
    expect(found({ version, more: ratings(false) })).toEqual([]);
  });

  test('a voice conversation is refused with the reason, once its blocks have no errors of their own', () => {
    const { valid, problems } = readPack(pack({ rest: VOICE }));
    expect(valid).toBe(false);
    expect(problems).toMatchObject([
      {
        code: 'not_implemented',
        severity: 'error',
        field: 'modality',
        message: expect.stringContaining('voice conversations are not executed'),
      },
    ]);
    expect(found({ rest: VOICE.replace('language: en', 'language: " "') })).toEqual([
      ['required', 'error', 'scenario.language'],
    ]);
  });

  test('input sets that a challenge names are a warning that names where the two are tied', () => {
    const { valid, problems } = readPack(
      pack({}).replace('title: C,', 'title: C, input_set_keys: [default],'),
    );
    expect(valid).toBe(true);
    expect(problems).toMatchObject([
      {
        code: 'unknown_key',
        severity: 'warning',
        field: 'challenges[0].input_set_keys',
        message: expect.stringContaining('challenge_key'),
      },
    ]);
  });

  test('a tool kind without tools is ignored with a warning', () => {
    const version = '  tool_policy: {allowed_tool_kinds: [file, browser]}';
    expect(found({ version })).toEqual([
      ['value_ignored', 'warning', 'version.tool_policy.allowed_tool_kinds'],
    ]);
  });
});

describe('in prompt_eval, where no agent has a workspace,', () => {
  const prompt = '  execution_mode: prompt_eval';

  test('files for a challenge in prompt_eval without a sandbox are ignored with a warning', () => {
    const version = `${prompt}\n  filesystem: {working_directory: /workspace}`;
    const more = `
        payload: {workspace_files: [{path: a, content: x}]}
        inputs: [{key: w, kind: workspace, value: [{path: b, content: y}]}, {key: t, kind: text, value: z}]`;
    expect(found({ version, more })).toEqual([
      ['value_ignored', 'warning', 'version.filesystem'],
      ['value_ignored', 'warning', 'input_sets[0].cases[0].payload["workspace_files"]'],
      ['value_ignored', 'warning', 'input_sets[0].cases[0].inputs[0]'],
    ]);
    expect(found({ version: '  execution_mode: responses', more })).toEqual([]);
  });

  test('planted secrets in prompt_eval are an error, since no workspace could leak them', () => {
    const rest = 'security: {planted_secrets: [{name: KEY, value: canary-12345, location: env}]}';
    expect(found({ version: prompt, rest })).toEqual([
      ['mode_conflict', 'error', 'security.planted_secrets'],
    ]);
    expect(found({ rest })).toEqual([]);
  });
});
