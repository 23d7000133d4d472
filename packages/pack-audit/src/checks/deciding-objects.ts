import type { AuditedPack } from '../pack/audited-pack.js';
import type { Finding } from '../report/report.js';
import { ofCases } from './context.js';

/** An object or the result of a function, and a method that is called with something: the groups are both names. */
const CALL = String.raw`([A-Za-z_]\w*)(?:\([^()\n]*\))?\.([A-Za-z_]\w*)\([^()\n]+\)`;
/** The whole condition of an assertion, in tests of Python and JavaScript. */
const POSITIVE = [
  String.raw`\bassertTrue\(\s*${CALL}\s*[,)]`,
  String.raw`^\s*assert\s+${CALL}\s*(?:,|$)`,
  String.raw`\bassert(?:\.ok)?\(\s*${CALL}\s*[,)]`,
  String.raw`\bassert\.\w*[eE]qual\(\s*${CALL}\s*,\s*true\b`,
  String.raw`\bexpect\(\s*${CALL}\s*\)\.(?:toBe\(true\)|toBeTruthy\(\))`,
].map((source) => new RegExp(source, 'gm'));
const NEGATIVE = [
  String.raw`\b(?:assertFalse\(|assert not|not)\s*${CALL}`,
  String.raw`!\s*${CALL}`,
  String.raw`${CALL}\s*,\s*false\b`,
  String.raw`${CALL}\s*\)\.(?:toBe\(false\)|toBeFalsy\(\)|not\b)`,
].map((source) => new RegExp(source, 'gm'));
const MODULES = /\bimport\s+(?:\*\s+as\s+)?([A-Za-z_]\w*)/g;
const TEST_FILE = /\.(?:py|[cm]?[jt]s)$/;

/**
 * Tests that take the word of an object of the code for a value that they expect: it may agree with everything. Read by the
 * form of assertions, so that each is a note.
 */
export function noteObjects({ cases }: AuditedPack): Finding[] {
  const found = cases.flatMap((each) =>
    (each.case.expectations ?? []).flatMap(({ key, value }) => {
      const calls = TEST_FILE.test(key) && typeof value === 'string' ? agreeable(value) : [];
      return calls.length === 0 ? [] : [{ each, file: key, call: calls[0] ?? '' }];
    }),
  );
  const [first] = found;
  if (!first) return [];
  return [
    {
      ...{ check: 'static', code: 'object_decides', severity: 'note' },
      message: `A test in ${first.file} passes where a method of an object of the code agrees: \`${first.call}\`.`,
      fix: 'Test what must not hold, too, with the same method, or compare whole values.',
      ...ofCases([...new Set(found.map(({ each }) => each))]),
    },
  ];
}

/** The calls of methods that are only ever to agree. */
function agreeable(text: string): string[] {
  const modules = new Set([...text.matchAll(MODULES)].map(([, name]) => name));
  const refused = new Set(NEGATIVE.flatMap((form) => [...text.matchAll(form)].map(([, , method]) => method)));
  return POSITIVE.flatMap((form) =>
    [...text.matchAll(form)].flatMap(([whole, object = '', method]) =>
      modules.has(object) || refused.has(method) ? [] : [whole.trim().slice(0, SHOWN_MAX)],
    ),
  );
}

const SHOWN_MAX = 80;
