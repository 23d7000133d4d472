import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { repository } from '../repository.js';

interface Component {
  group?: string;
  name: string;
  version: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
}

interface Rules {
  allowed: string[];
  exceptions: { package: string; declared: string; reason: string }[];
  otherPlatforms: Record<string, string>;
}

interface RulesModule {
  isAllowed(expression: string, allowed: readonly string[]): boolean;
  licenceViolations(checked: { installed: Component[]; all: Component[]; rules: Rules }): string[];
}

const folder = path.join(repository, 'infra/licences');
const { isAllowed, licenceViolations }: RulesModule = await import(
  pathToFileURL(path.join(folder, 'rules.mjs')).href
);
const listed: Rules = JSON.parse(readFileSync(path.join(folder, 'licences.json'), 'utf8'));

const rules: Rules = { allowed: ['MIT', 'ISC'], exceptions: [], otherPlatforms: {} };
const mit = (name: string): Component => ({ name, version: '1.0.0', licenses: [{ license: { id: 'MIT' } }] });

function violations(installed: Component[], changed: Partial<Rules> = {}, all = installed): string[] {
  return licenceViolations({ installed, all, rules: { ...rules, ...changed } });
}

test('A package with a licence outside of the list is a violation that names both.', () => {
  const copyleft = {
    name: 'a',
    group: '@b',
    version: '2.0.0',
    licenses: [{ license: { id: 'GPL-3.0-only' } }],
  };
  expect(violations([mit('c'), copyleft])).toEqual(['@b/a@2.0.0: GPL-3.0-only is not allowed']);
});

test('A package without a licence is a violation.', () => {
  expect(violations([{ name: 'a', version: '1.0.0' }])).toEqual([
    'a@1.0.0: no licence in its manifest is not allowed',
  ]);
});

test('An exception holds for one package with the licence that it was made for.', () => {
  const [exception] = [{ package: 'a', declared: 'MPL-2.0', reason: 'tests' }];
  const licensed = (id: string) => ({ name: 'a', version: '1.0.0', licenses: [{ license: { id } }] });
  expect(violations([licensed('MPL-2.0')], { exceptions: [exception] })).toEqual([]);
  expect(violations([licensed('GPL-2.0')], { exceptions: [exception] })).toEqual([
    'a@1.0.0: its exception is for MPL-2.0, and it has GPL-2.0',
  ]);
});

test('An exception that no package needs any more is a violation.', () => {
  const exceptions = [{ package: 'a', declared: 'MPL-2.0', reason: 'tests' }];
  expect(violations([mit('a')], { exceptions })).toEqual(['a: its exception is not needed any more']);
});

test('A package of another platform is covered by one of its family, and by nothing else.', () => {
  const installed = [mit('b-linux-x64')];
  const all = [...installed, mit('b-darwin-arm64'), mit('c-win32-x64'), mit('fs')];
  expect(violations(installed, { otherPlatforms: { fs: 'MIT' } }, all)).toEqual([
    'c-win32-x64: it is not installed here, and no package of its family is',
  ]);
});

test('One side of OR and both sides of AND have to be allowed.', () => {
  const verdicts = [
    '(MIT OR GPL-3.0)',
    'GPL-3.0 OR MIT',
    'MIT AND GPL-3.0',
    'MIT and ISC',
    '(GPL-3.0 OR ISC) AND MIT',
  ];
  expect(verdicts.map((each) => isAllowed(each, rules.allowed))).toEqual([true, true, false, true, true]);
});

test('An expression without an allowed licence is never allowed, however it is combined.', () => {
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('GPL-3.0', 'MPL-2.0', 'MITX', 'SSPL-1.0'),
      fc
        .tuple(tie('expression'), fc.constantFrom('AND', 'OR', 'and', 'or'), tie('expression'))
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
    ),
  }));
  fc.assert(fc.property(expression, (each) => !isAllowed(each, rules.allowed)));
});

test('Every exception of the repository has a reason.', () => {
  expect(listed.exceptions.filter(({ reason }) => reason.length < 20)).toEqual([]);
});
