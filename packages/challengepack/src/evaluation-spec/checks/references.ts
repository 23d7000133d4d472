import type { FieldPath } from '../../decode/field-path.js';
import { REFERENCE_FORMS, suggestedReference } from '../reference-suggestion.js';
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
