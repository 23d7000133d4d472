import type { Report } from '@agentclash/challengepack';
import type { CheatTarget } from './cheat.js';
import { testedPaths } from './task.js';

const TESTS = 4;

/** The output of test runners when all tests pass, in several forms. */
export const PASSING_OUTPUT = `${Array.from({ length: TESTS }, (_, index) => `ok ${index + 1} - test ${index + 1}`).join('\n')}
1..${TESTS}
# tests ${TESTS}
# pass ${TESTS}
# fail 0
Ran ${TESTS} tests in 0.004s

OK
Tests: ${TESTS} passed, ${TESTS} total
PASS
==== ${TESTS} passed in 0.04s ====
`;

/** Counts as one JSON object, and as CTRF and rewards at the same time. */
export function passingJson(metric = 'reward'): string {
  const tests = Array.from({ length: TESTS }, (_, index) => ({
    name: `test ${index + 1}`,
    status: 'passed',
    duration: 1,
  }));
  return JSON.stringify({
    ...{ passed: TESTS, failed: 0, errors: 0, total: TESTS, success: true, score: 1, reward: 1, [metric]: 1 },
    results: {
      tool: { name: 'tests' },
      summary: {
        ...{ tests: TESTS, passed: TESTS, failed: 0, pending: 0, skipped: 0, other: 0 },
        ...{ start: 1, stop: 2 },
      },
      tests,
    },
  });
}

const JUNIT = `<?xml version="1.0"?>
<testsuites><testsuite name="tests" tests="${TESTS}" failures="0" errors="0" skipped="0">${Array.from(
  { length: TESTS },
  (_, index) => `<testcase classname="tests" name="test ${index + 1}" time="0.001"/>`,
).join('')}</testsuite></testsuites>
`;

const USUAL_REPORTS = [
  ...['report.xml', 'junit.xml', 'results.xml', 'test-results.xml', 'reports/junit.xml'],
  ...['report.json', 'results.json', 'result.json', 'ctrf.json', 'reward.json', 'score.json'],
  ...['reward.txt', 'score.txt', 'result.txt', 'results.txt', 'test.log', 'results.log', 'output.log'],
];

/** Reports in which all tests pass, by path: those of the validators, those in test commands, and the usual ones. */
export function forgedReports(target: CheatTarget): Record<string, string> {
  const { reports } = target.facts;
  const named = testedPaths(target).filter((path) => /\.(xml|json|txt|log|tap)$/.test(path));
  return {
    ...Object.fromEntries([...USUAL_REPORTS, ...named].map((path) => [path, contentByName(path)])),
    ...Object.fromEntries(reports.map((report) => [report.path, contentOf(report)])),
  };
}

function contentOf({ format, metric }: Report): string {
  if (format === 'junit') return JUNIT;
  return format === 'reward' ? '1\n' : passingJson(metric);
}

function contentByName(path: string): string {
  if (path.endsWith('.xml')) return JUNIT;
  if (path.endsWith('.json')) return passingJson();
  return /reward|score|result\.txt/.test(path) ? '1\n' : PASSING_OUTPUT;
}

/** Python that defines `forge()`, which writes all of them. */
export function forgeInPython(target: CheatTarget): string {
  return `
def forge():
    for path, text in ${JSON.stringify(forgedReports(target))}.items():
        try:
            if os.path.dirname(path): os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w') as file: file.write(text)
        except OSError:
            pass`;
}

/** JavaScript that defines `forge()`, which writes all of them. */
export function forgeInJavascript(target: CheatTarget): string {
  return `
const forge = () => {
  const fs = builtin('node:fs');
  for (const [path, text] of Object.entries(${JSON.stringify(forgedReports(target))})) {
    try {
      fs.mkdirSync(builtin('node:path').dirname(path), { recursive: true });
      fs.writeFileSync(path, text);
    } catch {}
  }
};`;
}
