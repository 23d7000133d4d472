import { trim } from '@agentclash/challengepack';
import type { TestCounts } from './test-counts.js';
import { readXml, type XmlAttributes } from './xml.js';

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
