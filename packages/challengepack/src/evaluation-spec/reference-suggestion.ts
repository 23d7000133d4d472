import { nearestName, suggestedName } from '../text/nearest-name.js';
import { parseReference } from './references.js';

/** Every form that a reference has, as authors write them. */
export const REFERENCE_FORMS = [
  'final_output',
  'file:CHECK',
  'case.expectations.KEY',
  'case.payload.PATH',
  'case.inputs.KEY',
  'artifact.KEY',
  'transcript.full',
  'transcript.last_n:N',
  'transcript.from_mismatch',
  'turn.expectations',
  'literal:TEXT',
] as const;

const FIXED = ['final_output', 'transcript.full', 'transcript.from_mismatch', 'turn.expectations'];
const PREFIXES = ['file', 'literal', 'transcript.last_n'];
const OF_CASE = ['payload', 'inputs', 'expectations'];
const STEM_LENGTH = 5;

/** The reference that a text without a known form was probably meant to be. */
export function suggestedReference(text: string): string | undefined {
  const candidates = [suggestedName(text, FIXED), withPrefix(text), ofCase(text), ofArtifact(text)];
  return candidates.find((candidate) => candidate !== undefined && parseReference(candidate) !== null);
}

function withPrefix(text: string): string | undefined {
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  const prefix = nearestName(text.slice(0, colon).trim(), PREFIXES);
  return prefix && `${prefix}:${text.slice(colon + 1).trim()}`;
}

/** `case.expectation.n`, `cases.payload.x`, `expectations.n`. */
function ofCase(text: string): string | undefined {
  const [first = '', ...rest] = text.split('.');
  const named = partOfCase(first);
  if (named !== undefined) return ['case', named, ...rest].join('.');
  const [second = '', ...below] = rest;
  const part = nearestName(first, ['case']) && partOfCase(second);
  return part && ['case', part, ...below].join('.');
}

function partOfCase(written: string): string | undefined {
  const stem = written.toLowerCase().slice(0, STEM_LENGTH);
  const likely = stem.length === STEM_LENGTH ? OF_CASE.find((part) => part.startsWith(stem)) : undefined;
  return nearestName(written, OF_CASE) ?? likely;
}

function ofArtifact(text: string): string | undefined {
  const [first = '', ...rest] = text.split('.');
  return nearestName(first, ['artifact']) && ['artifact', ...rest].join('.');
}
