import { describe, expect, test } from '@jest/globals';
import type { Case, Manifest } from '../pack/model.js';
import { agentView } from '../publish/agent-view.js';
import { manifestOf } from '../publish/manifest.js';
import { readStoredCase, storedCases } from '../publish/stored-cases.js';
import { renderTemplate, templateContext } from '../templates/template.js';
import {
  A_CASE_OF_FILES,
  A_CONVERSATION,
  SMALLEST_USEFUL,
  TOOL_WITH_SECRET,
} from '../testing/worked-examples.js';
import { fillPlaceholders } from '../tools/fill.js';
import { mapOpaque } from '../tools/opaque-text.js';
import { readPack } from './read-pack.js';

function findings(text: string): string[] {
  return readPack(text).problems.map(({ field, code }) => `${field} ${code}`);
}

function manifestIn(text: string): Manifest {
  const reading = readPack(text);
  if (!reading.valid) throw new Error(JSON.stringify(reading.problems));
  return manifestOf(reading.pack);
}

function firstCase(manifest: Manifest): Case {
  const [row] = storedCases(manifest);
  if (!row) throw new Error('no case');
  return readStoredCase(row);
}

describe('the smallest useful pack', () => {
  test('the smallest useful pack has no problems, and is stored as a case document', () => {
    expect(findings(SMALLEST_USEFUL)).toEqual([]);
    expect(storedCases(manifestIn(SMALLEST_USEFUL))).toMatchObject([
      {
        kind: 'case_document',
        document: {
          schema_version: 1,
          case_key: 'peru',
          payload: { country: 'Peru' },
          expectations: [{ key: 'result', kind: 'text', value: 'Lima' }],
        },
      },
    ]);
  });

  test('the smallest useful pack shows the agent the country, never the expectation', () => {
    const manifest = manifestIn(SMALLEST_USEFUL);
    const view = JSON.stringify(agentView(manifest, firstCase(manifest)));
    expect(view).toContain('Peru');
    expect(view).not.toContain('Lima');
  });

  test('the smallest useful pack without its expectation is stored as a bare payload', () => {
    const text = SMALLEST_USEFUL.replace(/ {8}expectations: .*\n/, '').replace(
      'case.expectations.result',
      '"literal:Lima"',
    );
    expect(storedCases(manifestIn(text))).toMatchObject([{ kind: 'payload', document: { country: 'Peru' } }]);
  });
});

describe('a tool that carries a secret', () => {
  const args = 'tools.custom[0].implementation.args';

  test('a tool with a secret has no problems, and fills its url and body in', () => {
    expect(findings(TOOL_WITH_SECRET)).toEqual([]);
    const [tool] = manifestIn(TOOL_WITH_SECRET).tools?.custom ?? [];
    const filled = fillPlaceholders(tool?.implementation.args ?? {}, { pallet: 'a/b', limit: 3 });
    expect(mapOpaque(filled, (text) => text.reveal(() => 'k'))).toMatchObject({
      url: 'https://pallets.example.com/v2/a%2Fb/events',
      body: '{"limit": 3, "note": "costs ${5}"}',
      headers: { Authorization: 'Bearer k' },
    });
  });

  test('a tool with a secret is shown to the agent by name, description and parameters', () => {
    const manifest = manifestIn(TOOL_WITH_SECRET);
    const [tool] = agentView(manifest, firstCase(manifest)).tools ?? [];
    expect(Object.keys(tool ?? {}).sort()).toEqual(['description', 'name', 'parameters']);
  });

  test.each([
    [
      'a host from an argument',
      ['url: https://pallets.example.com/v2/${path:pallet}/events', 'url: https://${pallet}.example.com/'],
      [`${args}["url"] secret_host_not_literal`],
    ],
    [
      'a response that is written to a file',
      ['          method: POST', '          method: POST\n          output_path: out.json'],
      [`${args}["output_path"] secret_with_output_path`],
    ],
    [
      'a primitive that runs commands',
      ['primitive: http_request', 'primitive: exec'],
      [
        'tools.custom[0].implementation.primitive tool_never_allowed',
        `${args}["headers"]["Authorization"] secret_not_allowed`,
      ],
    ],
  ])('a tool with a secret has the documented problems with %s', (_what, [from = '', to = ''], expected) => {
    expect(findings(TOOL_WITH_SECRET.replace(from, to))).toEqual(expected);
  });
});

test('a case of files stages the visible ones, and the nearest asset of a key takes precedence', () => {
  expect(findings(A_CASE_OF_FILES)).toEqual(['challenges[0].assets[0].key unused_asset']);
  const manifest = manifestIn(A_CASE_OF_FILES);
  const { files } = agentView(manifest, firstCase(manifest));
  expect(files?.map(({ path }) => path)).toEqual(['shared/rules.md', 'march/ledger.csv']);
});

test('a conversation warns of a trigger that never fires, and fills its messages in', () => {
  const field = 'input_sets[0].cases[0].user_simulator.phases[2].trigger';
  expect(findings(A_CONVERSATION)).toEqual([`${field} trigger_not_executed`]);
  const { payload, inputs, user_simulator } = firstCase(manifestIn(A_CONVERSATION));
  const message = user_simulator?.phases[0]?.turns?.[0]?.message ?? '';
  expect(renderTemplate(message, templateContext(payload, inputs), 'strict')).toBe(
    'Where is my money for order 1042?',
  );
});
