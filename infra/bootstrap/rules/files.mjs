import path from 'node:path';

const LINES_MAX = 400;
const NAMELESS = /^(?:utils?|helpers?|common|misc|shared)$/;
const RE_EXPORT = /\bexport\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*['"][^'"]+['"];?/g;
const EMPTY_NAMES = [
  { pattern: /\bclass (\w+(?:Impl|Manager))\b/, why: 'an empty name; name what it does' },
  { pattern: /\binterface (I[A-Z][a-z]\w*)\b/, why: 'drop the I' },
];

/** Sizes, names and barrels. */
export function checkFiles(workspace) {
  return workspace.flatMap(({ folder, files }) =>
    files.flatMap((file) => [
      ...checkLength(file),
      ...checkName(file),
      ...checkBarrel(file, `${folder}/src/index.ts`),
      ...checkDeclaredNames(file),
    ]),
  );
}

function checkLength({ path: at, text }) {
  const lines = text.split('\n').length - 1;
  return lines > LINES_MAX
    ? [{ at: `${at}:${LINES_MAX + 1}`, message: `${lines} lines: split it by concept` }]
    : [];
}

function checkName({ path: at }) {
  const words = at
    .split('/')
    .slice(2)
    .flatMap((part) => part.split('.'));
  const nameless = words.find((word) => NAMELESS.test(word));
  return nameless ? [{ at, message: `"${nameless}" is an empty name; name the concept` }] : [];
}

/** One index.ts per package, which only re-exports; everywhere else nothing but re-exports is a barrel. */
function checkBarrel({ path: at, code, isTest }, index) {
  const rest = code
    .replace(RE_EXPORT, '')
    .replace(/\bexport\s*\{\s*\};?/g, '')
    .trim();
  if (at === index) return rest === '' ? [] : [{ at, message: 'the index only re-exports' }];
  if (isTest) return [];
  const isBarrel = path.posix.basename(at) === 'index.ts' || (rest === '' && code.trim() !== '');
  return isBarrel ? [{ at, message: `a barrel: only ${index} re-exports` }] : [];
}

function checkDeclaredNames({ path: at, bare }) {
  return EMPTY_NAMES.flatMap(({ pattern, why }) =>
    bare.split('\n').flatMap((text, index) => {
      const name = pattern.exec(text)?.[1];
      return name ? [{ at: `${at}:${index + 1}`, message: `${name}: ${why}` }] : [];
    }),
  );
}
