import { SandboxError } from '../sandbox-error.js';

const NAME = /^[a-z0-9][a-z0-9.+-]+$/;
export const REGISTER_TEMPLATE = 'register an image that has them as a template (SANDBOX_TEMPLATES)';

/** Of `apt-get`: names are names, neither patterns nor wishes to remove something, and little comes with them. */
export const INSTALL_POLICY = [
  '-y',
  '--no-install-recommends',
  '--no-remove',
  '-o',
  'APT::Cmd::Pattern-Only=true',
] as const;

/** Messages of apt after which a retry will not help, and what they mean for the caller. */
const LASTING_ERRORS: readonly [RegExp, (output: RegExpExecArray) => string][] = [
  [/Unable to locate package (\S+)/, ([, name]) => `there is no package ${name} for this image`],
  [
    /Package '([^']+)' has no installation candidate/,
    ([, name]) => `there is no package ${name} for this image`,
  ],
  [/Packages need to be removed/, () => 'the packages do not go with those of the image'],
  [/unmet dependencies/, () => 'the packages need what there is not for this image'],
];

/** Throws `invalid_argument` for what apt could take for anything but a name. */
export function rejectInvalidNames(names: readonly string[]): void {
  const refused = names.find((name) => !NAME.test(name));
  if (refused === undefined) return;
  throw new SandboxError('invalid_argument', `no name of a package: ${JSON.stringify(refused)}`);
}

/** The lasting reason in the output of apt; undefined where a retry may help. */
export function lastingErrorIn(output: string, cause?: unknown): SandboxError | undefined {
  for (const [pattern, meaning] of LASTING_ERRORS) {
    const found = pattern.exec(output);
    if (found) return packagesUnsupported(meaning(found), cause);
  }
  return undefined;
}

export function packagesUnsupported(message: string, cause?: unknown): SandboxError {
  return new SandboxError('unsupported', message, { capability: 'packages', fix: REGISTER_TEMPLATE, cause });
}
