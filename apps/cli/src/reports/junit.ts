export type JUnitOutcome =
  | { kind: 'passed'; note?: string }
  | { kind: 'failure' | 'error' | 'skipped'; type: string; message: string };

export interface JUnitCase {
  classname: string;
  name: string;
  seconds?: number | undefined;
  outcome: JUnitOutcome;
}

/** One suite as JUnit XML, as CI systems read it; `properties` are facts about all of it. */
export function junitReport(
  suite: string,
  cases: readonly JUnitCase[],
  properties: Readonly<Record<string, string>> = {},
): string {
  const count = (kind: JUnitOutcome['kind']) => cases.filter(({ outcome }) => outcome.kind === kind).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escaped(suite)}" ${counts}>`,
    ...propertiesElement(Object.entries(properties)),
    ...cases.map(caseElement),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function propertiesElement(properties: readonly (readonly [string, string])[]): string[] {
  if (properties.length === 0) return [];
  return [
    '    <properties>',
    ...properties.map(
      ([name, value]) => `      <property name="${escaped(name)}" value="${escaped(value)}"/>`,
    ),
    '    </properties>',
  ];
}

function caseElement({ classname, name, seconds, outcome }: JUnitCase): string {
  const time = seconds === undefined ? '' : ` time="${seconds.toFixed(3)}"`;
  const open = `    <testcase classname="${escaped(classname)}" name="${escaped(name)}"${time}`;
  const inside = insideOf(outcome);
  return inside === undefined ? `${open}/>` : `${open}>${inside}</testcase>`;
}

function insideOf(outcome: JUnitOutcome): string | undefined {
  if (outcome.kind === 'passed') {
    return outcome.note === undefined ? undefined : `<system-out>${escaped(outcome.note)}</system-out>`;
  }
  return `<${outcome.kind} type="${escaped(outcome.type)}" message="${escaped(outcome.message)}"/>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
};

/** XML 1.0 cannot hold most control characters, nor halves of surrogate pairs, in any form. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"\n\t]/g, (character) => ENTITIES[character] ?? character);
}
