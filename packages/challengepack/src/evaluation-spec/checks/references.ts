import type { FieldPath } from '../../decode/field-path.js';
import type { CheckDraft } from '../authored.js';
import { parseReference, type Reference } from '../references.js';
import { knownKeys } from './keys.js';
import type { SpecCheck } from './spec-check.js';

/** Reads a reference, reporting it when it has no known form, names no check, or needs a conversation there is not. */
export function checkReference(check: SpecCheck, text: string, at: FieldPath): Reference | null {
  const reference = parseReference(text);
  if (reference === null) check.report('malformed', at);
  else if (reference.kind === 'file') checkFileReference(check, reference.check, at);
  else if (readsConversation(reference)) checkConversation(check, at);
  return reference;
}

/** The post-execution check with that key; undefined when there is none or its declaration could not be read. */
export function findCheck(check: SpecCheck, key: string): CheckDraft | undefined {
  return check.spec.post_execution_checks?.find((entry) => entry?.key === key);
}

function checkFileReference(check: SpecCheck, key: string, at: FieldPath): void {
  const known = knownKeys(check, check.spec.post_execution_checks, check.at.field('post_execution_checks'));
  if (known && !known.has(key)) {
    check.report('unknown_reference', at, { message: `no post-execution check has the key ${key}` });
  }
}

function checkConversation(check: SpecCheck, at: FieldPath): void {
  const { executionMode } = check.context;
  if (executionMode === undefined || executionMode === 'multi_turn') return;
  check.report('mode_conflict', at, { message: `there is no conversation in mode ${executionMode}` });
}

function readsConversation(reference: Reference): boolean {
  return reference.kind === 'transcript' || reference.kind === 'turn_expectations';
}
