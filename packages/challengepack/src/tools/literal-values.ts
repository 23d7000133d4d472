import { formatBytes } from '@agentclash/domain';

type Literals = Readonly<Record<string, string>>;

/** A problem of one of several values; without a name, of all together. */
export interface LiteralProblem {
  code: 'reserved_name' | 'wrong_reference' | 'too_large';
  name?: string;
  message: string;
}

/** Of Linux, for each argument and each `NAME=value` of a program, its final zero included. */
const STRING_BYTES_MAX = 128 * 1024;
/** A quarter of the stack of 8 MiB holds all of them, with pointers and the variables and arguments that we add. */
const STRINGS_BYTES_MAX = 1024 * 1024;
const POINTER_BYTES = 8;
const SECRET_REFERENCE = /\$\{\s*secrets\.|^\s*workspace-secret:\/\//;

/** Variables of a program that override ours, that no program can be started with, or that only look like a secret. */
export function variableProblems(env: Literals): LiteralProblem[] {
  const names = Object.keys(env);
  return [
    ...names.flatMap((name): LiteralProblem[] =>
      name.startsWith('AGENTCLASH_')
        ? [{ code: 'reserved_name', name, message: 'names that begin with AGENTCLASH_ are ours' }]
        : [],
    ),
    ...secretReferences(env, 'is set unchanged: no secret reaches a program'),
    ...sizeProblems(Object.fromEntries(names.map((name) => [name, `${name}=${env[name]}`]))),
  ];
}

/** Arguments that no program can be started with, by their index. */
export function argumentProblems(command: readonly string[]): LiteralProblem[] {
  return sizeProblems(Object.fromEntries(command.entries()));
}

/** Values that look like a reference to a secret and are not replaced. */
export function secretReferences(values: Literals, message: string): LiteralProblem[] {
  return Object.entries(values).flatMap(([name, value]) =>
    SECRET_REFERENCE.test(value) ? [{ code: 'wrong_reference', name, message }] : [],
  );
}

function sizeProblems(strings: Literals): LiteralProblem[] {
  const sizes = Object.entries(strings).map(([name, text]) => ({
    name,
    bytes: new TextEncoder().encode(text).length + 1,
  }));
  const tooLong = sizes.flatMap(({ name, bytes }): LiteralProblem[] => {
    if (bytes <= STRING_BYTES_MAX) return [];
    const message = `has ${bytes} bytes, and a program is started with at most ${STRING_BYTES_MAX} in each: use a file`;
    return [{ code: 'too_large', name, message }];
  });
  const all = sizes.reduce((sum, { bytes }) => sum + bytes + POINTER_BYTES, 0);
  if (tooLong.length > 0 || all <= STRINGS_BYTES_MAX) return tooLong;
  const message = `take ${formatBytes(all)} together, and may take ${formatBytes(STRINGS_BYTES_MAX)}: use files`;
  return [{ code: 'too_large', message }];
}
