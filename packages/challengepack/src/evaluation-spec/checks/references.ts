import type { FieldPath } from '../../decode/field-path.js';
import { parseReference, type Reference } from '../references.js';
import type { SpecCheck } from './spec-check.js';

/** Reads a reference, reporting it when it has no known form, names no check, or needs a conversation there is not. */
export function checkReference(check: SpecCheck, text: string, at: FieldPath): Reference | null {
  const reference = parseReference(text);
  if (reference === null) check.report('malformed', at);
  else if (reference.kind === 'file') {
    check.requireKey({ key: reference.check, list: 'post_execution_checks' }, at);
  } else if (readsConversation(reference)) checkConversation(check, at);
  return reference;
}

function checkConversation(check: SpecCheck, at: FieldPath): void {
  const { executionMode } = check.context;
  if (executionMode === undefined || executionMode === 'multi_turn') return;
  check.report('mode_conflict', at, { message: `there is no conversation in mode ${executionMode}` });
}

function readsConversation(reference: Reference): boolean {
  return reference.kind === 'transcript' || reference.kind === 'turn_expectations';
}
