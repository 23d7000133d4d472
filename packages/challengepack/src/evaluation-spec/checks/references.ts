import type { FieldPath } from '../../decode/field-path.js';
import { nearestName, suggestedName } from '../../text/nearest-name.js';
import { parseReference, type Reference } from '../references.js';
import type { SpecCheck } from './spec-check.js';

/** Reads a reference, reporting it when it has no known form, names no check, or needs a conversation there is not. */
export function checkReference(check: SpecCheck, text: string, at: FieldPath): Reference | null {
  const reference = parseReference(text);
  if (reference === null) reportMalformed(check, text, at);
  else if (reference.kind === 'file') {
    check.requireKey({ key: reference.check, list: 'post_execution_checks', prefix: 'file:' }, at);
  } else if (readsConversation(reference)) checkConversation(check, at);
  return reference;
}

function reportMalformed(check: SpecCheck, text: string, at: FieldPath): void {
  const suggestion = suggestedReference(text);
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  check.report('malformed', at, {
    message: `this is not a reference.${hint} The forms are ${REFERENCE_FORMS.join(', ')}`,
    ...(suggestion && { suggestion }),
  });
}

function checkConversation(check: SpecCheck, at: FieldPath): void {
  const { executionMode } = check.context;
  if (executionMode === undefined || executionMode === 'multi_turn') return;
  check.report('mode_conflict', at, { message: `there is no conversation in mode ${executionMode}` });
}

function readsConversation(reference: Reference): boolean {
  return reference.kind === 'transcript' || reference.kind === 'turn_expectations';
}

/** Every form that a reference has, as authors write them. */
const REFERENCE_FORMS = [
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
