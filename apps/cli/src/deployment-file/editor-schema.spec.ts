import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { STARTER_DEPLOYMENTS } from '../commands/resource/init.js';
import { deploymentFileSchema } from './editor-schema.js';
import { readDeploymentFile } from './read.js';

const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(deploymentFileSchema());
const examples = path.resolve(import.meta.dirname, '../../../../examples/deployments');

describe('the editor schema of deployment files', () => {
  test.each(readdirSync(examples).filter((name) => name.endsWith('.yaml')))(
    'the editor schema accepts the example %s',
    (name) => {
      const taken = validate(parse(readFileSync(path.join(examples, name), 'utf8')));
      expect([taken, validate.errors]).toEqual([true, null]);
    },
  );

  test('the editor schema accepts the file that init writes, and so do its commented parts and the reader', () => {
    const whole = STARTER_DEPLOYMENTS.replaceAll(/^ {2}# ( *- | {2})/gm, '  $1');
    for (const text of [STARTER_DEPLOYMENTS, whole]) {
      expect([validate(parse(text)), validate.errors]).toEqual([true, null]);
      expect(readDeploymentFile(text).problems).toEqual([]);
    }
    expect(readDeploymentFile(whole).entries.length).toBeGreaterThan(
      readDeploymentFile(STARTER_DEPLOYMENTS).entries.length + 2,
    );
  });

  test.each([
    '{name: a, kind: scripted, config: {}}',
    '{deployments: [{name: a, kind: model, runtime_profile: p, config: {model_alias: m, tools: [t]}}]}',
    '{deployments: [{name: a, kind: model, config: {provider_account: p, model: m}}]}',
    '{deployments: [{name: a, kind: program, config: {command: [x], files: [{path: a.py, from: b.py}]}}]}',
    '{deployments: [{name: a, kind: endpoint, config: {url: "https://a.test/", protocol: a2a}}]}',
    '{deployments: [{name: a, kind: program, config: {command: [x], protocol: acp}}]}',
    '{model_aliases: [{name: m, provider_account: local, model: qwen3}], x-note: 1}',
  ])('the editor schema accepts %s', (text) => {
    expect([validate(parse(text)), validate.errors]).toEqual([true, null]);
  });

  test.each([
    '{deployment: []}',
    '{deployments: [{name: a, kind: scriptd, config: {}}]}',
    '{deployments: [{name: a, kind: program, config: {comand: [x]}}]}',
    '{deployments: [{name: a, kind: program, config: {command: [x], files: [{path: ../a, from: b}]}}]}',
    '{model_aliases: [{name: m, provider_acount: local, model: qwen3}]}',
    '{deployments: [{name: a, kind: endpoint, config: {url: "https://a.test/", protocol: mcp}}]}',
    '{runtime_profiles: [{name: p, max_iterations: 0}]}',
  ])('the editor schema rejects %s', (text) => {
    expect(validate(parse(text))).toBe(false);
  });
});
