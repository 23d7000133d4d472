import { isJsonObject, readJson, trim } from '@agentclash/challengepack';
import { readXml, type XmlAttributes } from './xml.js';

/** The numbers of tests that ran, without skipped ones, and of those that passed. */
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

const ROOTS: ReadonlySet<string> = new Set(['testsuites', 'testsuite']);
const FAILURES: ReadonlySet<string> = new Set(['failure', 'error']);

/** The counts of a JUnit report, from its test cases if it has any, else from its suites. Null when it is not one. */
export function readJunit(text: string): TestCounts | null {
  const report = new Report();
  const isWellFormed = readXml(trim(text), report);
  return isWellFormed ? report.counts() : null;
}

interface Suite {
  readonly attributes: XmlAttributes;
  hasSuites: boolean;
}

class Report {
  #isJunit = false;
  #cases = { passed: 0, failed: 0, skipped: 0 };
  /** The test case that is open, and how it has come out so far. */
  #open: 'passed' | 'failed' | 'skipped' | null = null;
  readonly #suites: Suite[] = [];
  readonly #openSuites: Suite[] = [];

  open(name: string, { attributes, depth }: { attributes: XmlAttributes; depth: number }): void {
    if (depth === 1) this.#isJunit = ROOTS.has(name);
    if (ROOTS.has(name)) this.#openSuite(attributes);
    else if (name === 'testcase') this.#open = 'passed';
    else if (this.#open !== null && FAILURES.has(name)) this.#open = 'failed';
    else if (this.#open === 'passed' && name === 'skipped') this.#open = 'skipped';
  }

  close(name: string): void {
    if (ROOTS.has(name)) this.#openSuites.pop();
    if (name !== 'testcase' || this.#open === null) return;
    this.#cases[this.#open] += 1;
    this.#open = null;
  }

  counts(): TestCounts | null {
    if (!this.#isJunit) return null;
    const { passed, failed, skipped } = this.#cases;
    return passed + failed + skipped > 0 ? { passed, total: passed + failed } : this.#suiteCounts();
  }

  #openSuite(attributes: XmlAttributes): void {
    const parent = this.#openSuites.at(-1);
    if (parent !== undefined) parent.hasSuites = true;
    const suite = { attributes, hasSuites: false };
    this.#suites.push(suite);
    this.#openSuites.push(suite);
  }

  /** An outer suite repeats the counts of those inside it, so only the innermost are added up. */
  #suiteCounts(): TestCounts | null {
    const innermost = this.#suites.filter(({ hasSuites }) => !hasSuites);
    const sum = (name: string) =>
      innermost.reduce((total, { attributes }) => total + attribute(attributes, name), 0);
    const total = sum('tests') - sum('skipped');
    const passed = total - sum('failures') - sum('errors');
    return passed >= 0 && total >= passed ? { passed, total } : null;
  }
}

/** A count in an attribute: 0 when absent, NaN when it is none. */
function attribute(attributes: XmlAttributes, name: string): number {
  const written = Object.hasOwn(attributes, name) ? (attributes[name] ?? '') : '0';
  return /^\d{1,15}$/.test(written) ? Number(written) : Number.NaN;
}
