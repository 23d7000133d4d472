import { isJsonObject, readJson, trim } from '@agentclash/challengepack';
import type { CollectedReport } from '@agentclash/domain';
import { readCtrf } from './reports.js';
import { readJunit, type TestCounts } from './test-counts.js';
import { readXml } from './xml.js';

/** Characters of a report that holds no counts. */
const REPORT_TEXT_MAX = 300;
const TESTS_NAMED_MAX = 3;
const NAME_MAX = 80;
const MESSAGE_MAX = 120;

/** A report in words, such as `2 of 9 tests failed: call 6 (it did not raise ValueError), call 7`. */
export function reportInWords({ format, state, text }: CollectedReport): string {
  if (text === undefined) return state;
  const counts = format === 'junit' ? readJunit(text) : format === 'ctrf' ? readCtrf(text) : null;
  if (counts === null) return text.trim().slice(0, REPORT_TEXT_MAX);
  return testsInWords(counts, format === 'junit' ? failedInJunit(text) : failedInCtrf(text));
}

function testsInWords({ passed, total }: TestCounts, failed: readonly string[]): string {
  const count = total - passed;
  if (count === 0) return `${total} of ${total} tests passed`;
  const named = failed.slice(0, TESTS_NAMED_MAX).join(', ');
  const more = count - Math.min(failed.length, TESTS_NAMED_MAX);
  const rest = named !== '' && more > 0 ? ` and ${more} more` : '';
  return `${count} of ${total} tests failed${named === '' ? '' : `: ${named}${rest}`}`;
}

/** The failed tests of a JUnit report, each with the first line of its message. */
function failedInJunit(text: string): string[] {
  const failed: string[] = [];
  let test: string | undefined;
  readXml(trim(text), {
    open(name, { attributes }) {
      if (name === 'testcase') test = attributes.name ?? '';
      else if (test !== undefined && (name === 'failure' || name === 'error')) {
        failed.push(failedTest(test, attributes.message));
        test = undefined;
      }
    },
  });
  return failed;
}

function failedInCtrf(text: string): string[] {
  const reading = readJson(text);
  const results = reading.ok && isJsonObject(reading.value) ? reading.value.results : undefined;
  const tests = isJsonObject(results) && Array.isArray(results.tests) ? results.tests : [];
  return tests.flatMap((test) => {
    if (!isJsonObject(test) || (test.status !== 'failed' && test.status !== 'other')) return [];
    const { name, message } = test;
    return [failedTest(String(name), typeof message === 'string' ? message : undefined)];
  });
}

function failedTest(name: string, message = ''): string {
  const line = cut(message.trim().split('\n')[0] ?? '', MESSAGE_MAX);
  return line === '' ? cut(name, NAME_MAX) : `${cut(name, NAME_MAX)} (${line})`;
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}
