import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { METRICS, type MetricDeclaration } from './metric-catalog.js';

const GUIDE = path.resolve(import.meta.dirname, '../../../../docs/observability.md');

test('docs/observability.md describes every metric as it is declared, and its queries use no other', () => {
  const text = readFileSync(GUIDE, 'utf8');
  const [, table = ''] = /<!-- metrics -->\n([\s\S]*?)\n<!-- end of the metrics -->/.exec(text) ?? [];
  const rows = Object.entries<MetricDeclaration>(METRICS).map(([name, { kind, labels, help }]) => {
    return `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`;
  });
  expect(table.split('\n').slice(2)).toEqual(rows);
  const named = text.match(/agentclash_\w+/g) ?? [];
  const isDeclared = (name: string) => Object.hasOwn(METRICS, name.replace(/_bucket$/, ''));
  expect(named.filter((name) => !isDeclared(name))).toEqual([]);
});
