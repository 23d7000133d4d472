import { describe, expect, test } from '@jest/globals';
import { EXAMPLE } from '../testing/example-pack.js';
import { readPack } from './read-pack.js';

const many = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('');
const inTools = (tools: string) => `${EXAMPLE}tools:\n  custom:\n${tools}`;

/** The generous limit of a test that would otherwise run for minutes, not for seconds. */
const TIMEOUT_MS = 30_000;

describe('a hostile document is read in bounded time and memory', () => {
  test(
    'problems below a very long key do not multiply it',
    () => {
      const text = `challenges:\n- definition:\n    ? ${'x'.repeat(400_000)}\n    : [${'.inf,'.repeat(90_000)}]\n`;
      const { valid, problems } = readPack(text);
      expect(valid).toBe(false);
      const length = problems.reduce((sum, { field, message }) => sum + field.length + message.length, 0);
      expect(length).toBeLessThan(20_000_000);
    },
    TIMEOUT_MS,
  );

  test.each([
    ['a chain of thousands of tools', (i: number) => `t${i + 1}`, 'delegation_too_deep'],
    ['a cycle of thousands of tools', (i: number) => `t${(i + 1) % 8000}`, 'delegation_cycle'],
    ['thousands of tools over nothing', (i: number) => `x${i}q`, 'unknown_reference'],
  ])(
    'a pack with %s is read in bounded time',
    (_what, delegate, code) => {
      const end = '    - {name: t8000, implementation: {primitive: build, args: {}}}\n';
      const tools = many(
        8000,
        (i) => `    - {name: t${i}, implementation: {primitive: ${delegate(i)}, args: {}}}\n`,
      );
      const codes = readPack(inTools(tools + end)).problems.map((problem) => problem.code);
      expect(new Set(codes)).toEqual(new Set([code]));
    },
    TIMEOUT_MS,
  );

  test(
    'a command with thousands of placeholders and a pack with thousands of cases are read in bounded time',
    () => {
      const command = many(20_000, (i) => `{{a${i}}}`);
      const cases = many(5000, (i) => `      - {challenge_key: c1, case_key: n${i}}\n`);
      const text = (EXAMPLE + cases)
        .replace('type: exact_match', `type: code_execution, config: {test_command: "${command}"}`)
        .replace('target: final_output', 'target: "file:x"');
      const unresolved = readPack(text).problems.filter(({ code }) => code === 'unresolved_placeholder');
      expect(unresolved).toHaveLength(20_000);
    },
    TIMEOUT_MS,
  );

  test(
    'thousands of expressions, each close to the limit, are read in bounded time',
    () => {
      const costly = (i: number) =>
        `      - {key: m${i}, type: math_equivalence, target: final_output, expected_from: "literal:(a+b+c+d+e+f)^9+${i}"}\n`;
      const text = EXAMPLE.replace('    validators:\n', `    validators:\n${many(8000, costly)}`);
      const started = process.cpuUsage();
      const { problems } = readPack(text);
      const { user } = process.cpuUsage(started);
      expect(problems.some(({ code }) => code === 'malformed')).toBe(true);
      expect(user / 1_000_000).toBeLessThan(20);
    },
    TIMEOUT_MS,
  );

  test(
    'servers with many files, addresses and denied tools are read in bounded time',
    () => {
      const files = many(200, (i) => `        - {artifact_key: long${i % 2 ? `, path: f${i}` : ''}}\n`);
      const server = (i: number) => `    - name: s${i}\n      url: https://10.0.0.1/\n      files:\n${files}`;
      const cidrs = many(10_000, (i) => `192.168.${i % 256}.0/24,`);
      const text = `${EXAMPLE}tools:\n  denied: [${many(10_000, (i) => `x${i}__y,`)}]\n  mcp_servers:\n${many(8, server)}`;
      const { problems } = readPack(
        text.replace(
          'version:\n',
          `version:\n  sandbox: {network_access: true, network_allowlist: [${cidrs}]}\n  assets: [{key: long, path: ${'a/'.repeat(200_000)}}]\n`,
        ),
      );
      const codes = new Set(problems.map(({ code }) => code));
      expect(codes).toEqual(new Set(['contradiction', 'too_long', 'unknown_reference']));
    },
    TIMEOUT_MS,
  );

  test(
    'regular expressions and schemas that are made to be expensive are refused before they run',
    () => {
      const nested = '(a{1000}){1000}'.repeat(100);
      const security = `security: {forbidden_outputs: [{description: d, pattern: "${nested}"}]}\n`;
      expect(readPack(EXAMPLE + security).problems.map(({ code }) => code)).toEqual(['invalid_regex']);
      const deep = `${'{not: '.repeat(80)}{}${'}'.repeat(80)}`;
      const tool = `    - {name: a, parameters: ${deep}, implementation: {primitive: build, args: {}}}\n`;
      expect(readPack(inTools(tool)).problems).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
