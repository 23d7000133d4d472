import { isJsonObject, readJson, trim } from '@agentclash/challengepack';
import { readJunit } from './junit.js';

/** How many tests ran, skipped ones apart, and how many of them passed. */
export interface TestCounts {
  readonly passed: number;
  readonly total: number;
}

/** A count in the summary line of a test runner. The digits are taken whole, so that long ones cost no time. */
const COUNTED = /(?<!\d)(\d+)\s+(passed|failed|errors?)\b/gi;

/**
 * The counts that a test run printed: one JSON object, a JUnit document, or the sum of its `N passed` and the like.
 * Null when it printed none.
 */
export function printedCounts(printed: string): TestCounts | null {
  return jsonCounts(printed) ?? junitCounts(printed) ?? summedCounts(printed);
}

function jsonCounts(printed: string): TestCounts | null {
  const reading = readJson(printed);
  if (!reading.ok || !isJsonObject(reading.value)) return null;
  const { passed, failed, errors, error, total } = reading.value;
  const bad = count(failed, 0) + count(errors ?? error, 0);
  const good = count(passed, count(total, Number.NaN) - bad);
  return checked({ passed: good, total: count(total, good + bad) });
}

/** A written count, or the default when there is none; NaN when it is no count. */
function count(value: unknown, absent: number): number {
  if (value === undefined || value === null) return absent;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : Number.NaN;
}

function junitCounts(printed: string): TestCounts | null {
  const start = printed.search(/<\?xml|<testsuites?\b/);
  if (start === -1) return null;
  return readJunit(trim(printed.slice(start, printed.lastIndexOf('>') + 1)));
}

function summedCounts(printed: string): TestCounts | null {
  let passed = 0;
  let total = 0;
  let isCounted = false;
  for (const [, digits, what] of printed.matchAll(COUNTED)) {
    const tests = Number(digits);
    if (!Number.isSafeInteger(tests)) continue;
    isCounted = true;
    total += tests;
    if (what?.toLowerCase() === 'passed') passed += tests;
  }
  return isCounted ? { passed, total } : null;
}

function checked(counts: TestCounts): TestCounts | null {
  return counts.passed >= 0 && counts.passed <= counts.total ? counts : null;
}
