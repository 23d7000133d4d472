import { PassThrough } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { Output } from '../../terminal/output.js';
import { auditJunit, auditText } from './audit-report.js';

type AuditReport = import('@agentclash/pack-audit').AuditReport;
type Finding = import('@agentclash/pack-audit').Finding;

const PASSED = { state: 'passed', trials: 1, summary: 'as expected' } as const;
const FINDING: Finding = {
  ...{ check: 'idle', code: 'idle_passes', severity: 'error', message: 'An agent that does nothing passes.' },
  ...{
    fix: 'Make the tests a gate.',
    input_set_key: 'default',
    case_key: 'sort',
    other_case_keys: ['merge'],
  },
  ...{ validators: ['tests'], detail: 'exit code 0' },
};

function report(findings: Finding[], changes: Partial<AuditReport> = {}): AuditReport {
  return {
    schema: 'agentclash.pack-audit/1',
    pack: { slug: 'tasks', number: 3, digest: 'sha256:ab' },
    ...{ version: '1.0.0', audited_at: '2030-01-01T00:00:00.000Z', duration_ms: 1_500 },
    sandbox: { provider: 'bubblewrap', isolation: 'full' },
    options: { quick: false, seed: 's', cases: 2, cases_total: 2 },
    result: 'passed',
    checks: {
      ...{ static: PASSED, idle: PASSED, echo: PASSED, blank: { ...PASSED, state: 'skipped' } },
      oracle: { ...PASSED, cases: 2, passed: 2, repetitions: 5, flake_rate: 0 },
      cheats: { ...PASSED, tried: 60, gained: 0, graders: 2, graders_tried: 2 },
      strength: { ...PASSED, mutants: 10, noticed: 9, strength: 0.9 },
    },
    findings,
    ...changes,
  };
}

const modes = { json: false, quiet: false, color: false };
const text = (each: AuditReport) => auditText(each, new Output(new PassThrough(), new PassThrough(), modes));

describe('the report of an audit', () => {
  test('a finding has its cases, validators, reason and fix, and the last lines the result', () => {
    const lines = text(report([FINDING], { result: 'failed' })).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      'error idle_passes default/sort and 1 more An agent that does nothing passes.',
      '      validators: tests',
      '      exit code 0',
      '      Make the tests a gate.',
    ]);
    expect(lines.slice(-2)).toEqual(['audit failed tasks version 3: 2 cases, 1.5 s', '  sha256:ab']);
  });

  test('a finding of the document has its line and its field', () => {
    const location = { field: 'challenges[0].instructions', line: 7, column: 3 };
    const { case_key: _, input_set_key: __, other_case_keys: ___, ...finding } = FINDING;
    const [first] = text(report([{ ...finding, check: 'static', location }])).split('\n');
    expect(first).toBe('error idle_passes 7:3 challenges[0].instructions An agent that does nothing passes.');
    expect(auditJunit(report([{ ...finding, location }]))).toContain('7:3 challenges[0].instructions');
  });

  test('findings in a row with the same fix have it once, below the last of them', () => {
    const [first, second, third] = [FINDING, FINDING, { ...FINDING, fix: 'Add a case.' }];
    const fixes = text(report([first, second, third]))
      .split('\n')
      .map((line, index) => (/Make the tests|Add a case/.test(line) ? `${index} ${line.trim()}` : ''));
    expect(fixes.filter(Boolean)).toEqual(['6 Make the tests a gate.', '10 Add a case.']);
  });

  test('notes beyond the first ten are counted', () => {
    const note: Finding = { ...FINDING, severity: 'note', code: 'mutant_survives' };
    expect(text(report(Array.from({ length: 13 }, () => note)))).toContain('and 3 notes more, with --json');
  });

  test('control characters of the pack do not reach the terminal', () => {
    expect(text(report([{ ...FINDING, detail: 'a\u001b[31mb' }]))).not.toContain('\u001b');
  });

  test('JUnit has a test for each check and each error', () => {
    const xml = auditJunit(report([FINDING, { ...FINDING, severity: 'warning' }], { result: 'failed' }));
    expect(xml).toContain('<testsuites tests="8" failures="1" errors="0" skipped="1">');
    expect(xml).toContain('classname="idle" name="idle_passes default/sort and 1 more"');
  });
});
