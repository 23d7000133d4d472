import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, repository, StackFolder } from './product.js';
import { historyProblems, readRecorded } from './testing/recorded.js';

jest.setTimeout(180_000);

const PACK = `
pack: {slug: marathon, name: Marathon, family: tests}
version:
  number: 1
  execution_mode: native
  evaluation_spec:
    name: marathon
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: exact, type: exact_match, target: final_output, expected_from: case.expectations.km}
      - key: tools
        type: tool_call_assertion
        target: tool_calls
        config: {ordered_tools: [read_distance, units__convert]}
    scorecard:
      dimensions: [correctness, {key: procedure, source: validators, validators: [tools]}]
      pass_threshold: 1
tools:
  custom:
    - name: read_distance
      implementation: {type: mock, response: {miles: 26.2}}
challenges:
  - {key: run, title: Run, category: tests, difficulty: easy, instructions: Reply with the distance in kilometres.}
input_sets:
  - key: default
    name: All
    cases: [{challenge_key: run, case_key: one, expectations: [{key: km, kind: text, value: "42.16"}]}]
`;

describe('tools by MCP', () => {
  const folder = new StackFolder();
  let product: Product;

  beforeAll(async () => {
    product = await Product.start(folder);
    const pack = path.join(folder.path, 'marathon.yaml');
    writeFileSync(pack, PACK);
    await product.read('challenge-pack', 'publish', pack);
    const example = path.join(repository, 'examples', 'deployments', 'mcp-server.yaml');
    await product.read('deployment', 'create', '-f', example);
  }, 180_000);
  afterAll(async () => {
    await product?.stop();
    folder.remove();
  }, 120_000);

  test('A program solves a pack with a tool of the pack and a tool of its own server, and both are graded', async () => {
    const words = ['eval', 'start', '--pack', 'marathon', '--deployment', 'converter'];
    const { id } = await product.read<{ id: string }>(...words);
    await product.run(['run', 'show', id, '--follow'], { timeoutMs: 170_000 });
    const events = readRecorded((await product.run(['run', 'export', id])).stdout);
    expect(historyProblems(events)).toEqual([]);
    const calls = events.filter(({ event_type }) => event_type === 'tool.call.completed');
    expect(calls.map(({ payload }) => [payload.tool_name, payload.layer])).toEqual([
      ['read_distance', 'pack'],
      ['units__convert', 'mcp'],
    ]);
    const { items } = await product.read<{ items: { id: string }[] }>('run', 'attempts', id);
    expect(items).toMatchObject([{ outcome: 'completed', passed: true }]);
    const { stdout } = await product.run(['replay', items[0]?.id ?? '']);
    expect(stdout).toContain('The server units lists convert.');
  });
});
