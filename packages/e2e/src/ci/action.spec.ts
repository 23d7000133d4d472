import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { repository } from '../product.js';
import { ACTION_FOLDER, readAction, referencesIn } from './job.js';

const action = readAction();
const { inputs, outputs, runs } = action;

describe('the GitHub action', () => {
  test('the GitHub action has every field that its kind requires, and none that it does not have', () => {
    expect(Object.keys(action).sort()).toEqual([
      'author',
      'description',
      'inputs',
      'name',
      'outputs',
      'runs',
    ]);
    expect(runs.using).toBe('composite');
    for (const members of [inputs, outputs, runs.steps]) expect(Object.keys(members)).not.toEqual([]);
    for (const input of Object.values(inputs)) {
      expect(input.description).toMatch(/\.$/);
      expect(input.required === true).toBe(input.default === undefined);
      expect(['string', 'undefined']).toContain(typeof input.default);
    }
    for (const { description, value } of Object.values(outputs)) {
      expect(description).toMatch(/\.$/);
      expect(referencesIn(value)).toHaveLength(1);
    }
    for (const step of runs.steps) {
      expect(
        Object.keys(step).filter((key) => !['name', 'id', 'if', 'shell', 'env', 'run'].includes(key)),
      ).toEqual([]);
      expect(step).toMatchObject({ name: expect.any(String), shell: 'bash', run: expect.any(String) });
    }
    const ids = runs.steps.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('the GitHub action refers only to its inputs and steps, and uses every input', () => {
    const texts = [
      ...runs.steps.flatMap(({ env }) => Object.values(env)),
      ...Object.values(outputs).map(({ value }) => value),
    ];
    const used = texts.flatMap(referencesIn);
    expect(used).not.toEqual([]);
    const ids = runs.steps.map(({ id }) => id);
    for (const reference of used) {
      const [kind, name = ''] = reference.split('.');
      expect(kind === 'inputs' ? Object.keys(inputs) : ids).toContain(name);
    }
    expect(Object.keys(inputs).filter((name) => !used.includes(`inputs.${name}`))).toEqual([]);
  });

  test('the GitHub action puts no text of others into a script', () => {
    expect(runs.steps).not.toEqual([]);
    for (const { run } of runs.steps) expect(run).not.toContain('${{');
  });

  test('the example workflow calls the GitHub action with inputs that it has', () => {
    interface Workflow {
      permissions: object;
      jobs: { gate: { steps: { uses?: string; with?: object }[] } };
    }
    const workflow = parse(readFileSync(path.join(ACTION_FOLDER, 'workflow.yml'), 'utf8')) as Workflow;
    const step = workflow.jobs.gate.steps.find(({ uses }) => uses?.endsWith('examples/ci/github'));
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step?.with ?? { missing: 1 })));
    const needed = Object.keys(inputs).filter((name) => inputs[name]?.required);
    expect(Object.keys(step?.with ?? {})).toEqual(expect.arrayContaining(needed));
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  test('the GitHub action has every setting of the script that it runs', () => {
    const script = readFileSync(path.join(repository, 'examples/ci/gate.sh'), 'utf8');
    const variables = [...script.matchAll(/\$\{?([A-Z][A-Z_]+)/g)].map(([, name]) => name ?? '');
    const gate = runs.steps.find(({ id }) => id === 'gate');
    const given = [...Object.keys(gate?.env ?? {}), 'RUN_NAME'];
    expect([...new Set(variables)].filter((name) => !given.includes(name))).toEqual([]);
  });
});
