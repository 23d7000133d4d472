import { describe, expect, test } from '@jest/globals';
import { readDeploymentFile } from './read.js';

const fileOf = (preset: string) => `deployments:
  - name: mine
    kind: program
    config:
      models: {main: fast}
      preset:
${preset.replace(/^/gm, '        ')}
`;

const problemsOf = (preset: string) =>
  readDeploymentFile(fileOf(preset)).problems.map(
    ({ line, column, field, message }) => `${line}:${column} ${field} ${message}`,
  );

const DOCUMENT = `name: mine
title: Mine
wires: [chat]
command: [python3, agent.py]`;

describe('A preset document in a deployment file', () => {
  test('A preset document without problems is accepted', () => {
    expect(problemsOf(DOCUMENT)).toEqual([]);
  });

  test('A protocol is accepted beside a preset that has a command for it', () => {
    const problems = (document: string) =>
      readDeploymentFile(fileOf(document).replace('config:', 'config:\n      protocol: acp')).problems;
    expect(problems(DOCUMENT)).toMatchObject([
      {
        field: 'deployments[0].config.protocol',
        message: 'is for a preset with a command for ACP (its member acp), which mine does not have',
      },
    ]);
    expect(problems(`${DOCUMENT}\nacp: {command: [python3, agent.py, --acp]}`)).toEqual([]);
  });

  test.each([
    [
      'an unknown member',
      `${DOCUMENT}\ncolour: red`,
      ['11:9 deployments[0].config.preset.colour is not known here'],
    ],
    [
      'a misspelt member',
      DOCUMENT.replace('title', 'titel'),
      [
        '7:9 deployments[0].config.preset.title is missing',
        '8:9 deployments[0].config.preset.titel is not known here; did you mean title?',
      ],
    ],
    [
      'an unknown API',
      DOCUMENT.replace('[chat]', '[chat, soap]'),
      ['9:23 deployments[0].config.preset.wires[1] must be anthropic or chat or responses or google'],
    ],
    [
      'a placeholder that nothing fills',
      `${DOCUMENT}\nenv: {KEY: "{{secret}}"}`,
      ['11:20 deployments[0].config.preset.env.KEY nothing fills the placeholder {{secret}}'],
    ],
    [
      'a package without its digest',
      `${DOCUMENT}\npackages: [{name: x, version: 1.0.0}]`,
      ['11:20 deployments[0].config.preset.packages[0].integrity is missing'],
    ],
  ])(
    'A preset document with %s is refused at the line and column of the problem',
    (_what, preset, problems) => {
      expect(problemsOf(preset)).toEqual(problems);
    },
  );

  test('A preset document that has many problems reports each of them, not that a text is needed', () => {
    const problems = problemsOf('name: 1\ntitle: 2\nwires: 3\ncommand: 4\nenv: 5\nfiles: 6');
    expect(problems).toHaveLength(6);
    expect(problems.join()).not.toContain('preset must be');
  });
});
