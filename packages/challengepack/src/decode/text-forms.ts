import { addressForm } from '../network/cidr.js';
import { compileRegex, regexProblem } from '../text/regex.js';
import type { Shape } from './shape.js';
import { type TextProblem, text } from './text.js';

/** The name of an environment variable. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

const KEY_LENGTH_MAX = 128;
const UUID = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** A key: not blank, at most 128 code points, case-sensitive. */
export function keyText(): Shape<string> {
  return text({ lengthMax: KEY_LENGTH_MAX });
}

export function uuidText(): Shape<string> {
  return text({ lowerCase: true, pattern: UUID, form: 'a UUID' });
}

/** A regular expression, which is RE2 everywhere in a pack. */
export function regexText(): Shape<string> {
  return text({ check: regexFinding });
}

function regexFinding(value: string): TextProblem | undefined {
  const message = compileRegex(value) ? null : regexProblem(value);
  return message === null ? undefined : { code: 'invalid_regex', message };
}

/** A path that stays below its folder. */
export function relativePathText(): Shape<string> {
  return text({ check: relativePathProblem });
}

/** A relative path, or an absolute one anywhere in the sandbox. */
export function sandboxPathText(): Shape<string> {
  return text({ check: (value) => relativePathProblem(value.replace(/^\/+/, '')) });
}

/** What is wrong with a path in the workspace: relative, or absolute below `/workspace/`. */
export function workspacePathProblem(path: string): TextProblem | undefined {
  return relativePathProblem(path.startsWith(WORKSPACE) ? path.slice(WORKSPACE.length) : path);
}

const WORKSPACE = '/workspace/';

function relativePathProblem(path: string): TextProblem | undefined {
  if (/^(?:\/|[A-Za-z]:)/.test(path)) return unsafe('the path is absolute');
  if (path.split('/').includes('..')) return unsafe('the path climbs with ".."');
  if (/[\\\p{Cc}]/u.test(path)) return unsafe('the path holds a backslash or control character');
  return undefined;
}

function unsafe(message: string): TextProblem {
  return { code: 'unsafe_path', message };
}

export function cidrText(): Shape<string> {
  return text({ check: cidrProblem });
}

function cidrProblem(value: string): TextProblem | undefined {
  const form = addressForm(value);
  if (form === 'cidr') return undefined;
  if (form === undefined) return { code: 'malformed', message: 'expected an IPv4 or IPv6 CIDR' };
  const suggestion = `${value}/${form === 'v4_address' ? 32 : 128}`;
  return { code: 'malformed', message: 'expected a CIDR, not a bare address', suggestion };
}
