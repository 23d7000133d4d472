import { DeploymentSpec, RunRequest } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { fieldProblems } from './field-problems.js';

function problems(schema: z.ZodType, value: unknown) {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : fieldProblems(parsed.error, schema);
}

describe('faults of a request', () => {
  test('name an unknown member, its place and the nearest known name', () => {
    expect(problems(RunRequest, { ...base, repetition: 3 })).toEqual([
      {
        code: 'unknown_field',
        field: 'repetition',
        message: 'is not known here; "repetitions" is',
        suggestion: 'repetitions',
      },
    ]);
  });

  test('name no suggestion where nothing is near', () => {
    expect(problems(RunRequest, { ...base, zzz: 1 })).toEqual([
      { code: 'unknown_field', field: 'zzz', message: 'is not known here' },
    ]);
  });

  test('reach into limits, lists and the kinds of a union', () => {
    expect(problems(RunRequest, { ...base, limits: { max_iteration: 1 } })).toMatchObject([
      { field: 'limits.max_iteration', suggestion: 'max_iterations' },
    ]);
    const program = {
      name: 'p',
      kind: 'program',
      config: { command: ['x'], files: [{ path: 'a', artifact: 'b' }] },
    };
    expect(problems(DeploymentSpec, program)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'config.files.0.artifact_id' }),
        expect.objectContaining({ field: 'config.files.0.artifact' }),
      ]),
    );
  });

  test('speak of the kind of step that was meant', () => {
    const steps = [{ answer: 'x', dela_ms: 3 }, { call: { name: '' } }];
    const found = problems(DeploymentSpec, { name: 's', kind: 'scripted', config: { steps } });
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'config.steps.0.dela_ms', suggestion: 'delay_ms' }),
        expect.objectContaining({ field: 'config.steps.1.call.name' }),
      ]),
    );
  });

  test('are told for every body, also for one that is no object', () => {
    for (const value of [null, 1, 'x', [], [[]], undefined]) {
      expect(problems(RunRequest, value).length).toBeGreaterThan(0);
      expect(problems(DeploymentSpec, value).length).toBeGreaterThan(0);
    }
  });

  test('never repeat what was sent', () => {
    const secret = 'tok-77';
    const schema = z.strictObject({ value: z.number(), kind: z.enum(['a']), at: z.iso.datetime() });
    expect(JSON.stringify(problems(schema, { value: secret, kind: secret, at: secret }))).not.toContain(
      secret,
    );
  });
});

const id = '01a2008d-a3b9-70cb-9102-ed85789ea469';
const base = { challenge_pack_version_id: id, deployment_ids: [id] };
