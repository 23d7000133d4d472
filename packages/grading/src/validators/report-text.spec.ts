import { describe, expect, test } from '@jest/globals';
import { reportInWords } from './report-text.js';

const junit = (...cases: string[]) => ({
  ...{ path: '/grader/report.xml', format: 'junit', state: 'read' as const },
  text: `<testsuite>${cases.join('')}</testsuite>`,
});
const failed = (name: string, message: string) =>
  `<testcase name="${name}"><failure message="${message}"/></testcase>`;

describe('a report of tests in words', () => {
  test('the report of a run in which every test passed has the count alone', () => {
    expect(reportInWords(junit('<testcase name="a"/>', '<testcase name="b"/>'))).toBe('2 of 2 tests passed');
  });

  test('failed tests are named with the first line of their messages, and the rest is counted', () => {
    const cases = ['a', 'b', 'c', 'd', 'e'].map((name) => failed(name, 'no&#10;trace'));
    expect(reportInWords(junit(...cases, '<testcase name="f"/>'))).toBe(
      '5 of 6 tests failed: a (no), b (no), c (no) and 2 more',
    );
  });

  test('a test that has two failures is named once', () => {
    const twice = '<testcase name="a"><failure message="x"/><error message="y"/></testcase>';
    expect(reportInWords(junit(twice))).toBe('1 of 1 tests failed: a (x)');
  });

  test('a report without single tests has its counts', () => {
    const text = '<testsuite tests="4" failures="1" errors="0" skipped="0"/>';
    expect(reportInWords({ ...junit(), text })).toBe('1 of 4 tests failed');
  });

  test('long names and messages are cut', () => {
    const words = reportInWords(junit(failed('n'.repeat(500), 'm'.repeat(500))));
    expect(words).toBe(`1 of 1 tests failed: ${'n'.repeat(80)}… (${'m'.repeat(120)}…)`);
  });

  test('a CTRF report is put in words as well', () => {
    const tests = [
      { name: 'a', status: 'passed' },
      { name: 'b', status: 'failed', message: '3 != 6\nat line 1' },
    ];
    const text = JSON.stringify({ results: { tests } });
    const report = { path: '/grader/ctrf.json', format: 'ctrf', state: 'read' as const, text };
    expect(reportInWords(report)).toBe('1 of 2 tests failed: b (3 != 6)');
  });

  test('a report that holds no counts has the beginning of its text, or its state', () => {
    expect(reportInWords({ ...junit(), text: `<broken${'x'.repeat(400)}` })).toHaveLength(300);
    expect(reportInWords({ path: '/grader/r', format: 'junit', state: 'killed' })).toBe('killed');
  });
});
