import { BASH } from './bash.js';
import { GO } from './go.js';
import { JAVA } from './java.js';
import { JAVASCRIPT, TSX, TYPESCRIPT } from './javascript.js';
import type { Language } from './language.js';
import { PYTHON } from './python.js';
import { RUST } from './rust.js';

const BY_EXTENSION: Readonly<Record<string, Language>> = {
  ...{ py: PYTHON, pyw: PYTHON },
  ...{ js: JAVASCRIPT, mjs: JAVASCRIPT, cjs: JAVASCRIPT, jsx: JAVASCRIPT },
  ...{ ts: TYPESCRIPT, mts: TYPESCRIPT, cts: TYPESCRIPT, tsx: TSX },
  ...{ go: GO, rs: RUST, java: JAVA },
  ...{ sh: BASH, bash: BASH },
};

const BY_INTERPRETER: readonly (readonly [RegExp, Language])[] = [
  [/\bpython[\d.]*\b/, PYTHON],
  [/\b(?:node|bun)\b/, JAVASCRIPT],
  [/\b(?:ba|da|z|k)?sh\b/, BASH],
];

/** All languages with a grammar. */
export const LANGUAGES: readonly Language[] = [...new Set(Object.values(BY_EXTENSION))];

/** The language of a file by its name, or by the first line of a script; undefined for other texts. */
export function languageOfFile(path: string, text: string): Language | undefined {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension];
  const shebang = /^#!.*/.exec(text)?.[0];
  return shebang === undefined ? undefined : languageOfCommand(shebang);
}

/** The language of the text that a command reads, such as `python3 -`. */
export function languageOfCommand(command: string): Language | undefined {
  return BY_INTERPRETER.find(([pattern]) => pattern.test(command))?.[1];
}
