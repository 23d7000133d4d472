import { createHash } from 'node:crypto';
import type { GraderPlan } from '@agentclash/attempt-plan';
import {
  type CaseEntry,
  caseText,
  type EvaluationSpec,
  parseReference,
  renderTemplate,
  templateContext,
} from '@agentclash/challengepack';
import type { AuditedCase } from '../pack/audited-pack.js';

/**
 * The same for cases that are graded in the same way, beyond what their workspaces hold: by the same files and commands, and by
 * validators that find the same expectations.
 */
export function graderDigest({ case: each }: AuditedCase, grader: GraderPlan, spec: EvaluationSpec): string {
  const { attempt_id: _, case: ofCase, code_executions, ...files } = grader;
  const context = templateContext(ofCase.payload, ofCase.inputs);
  const parts = {
    ...files,
    commands: code_executions.map(({ test_command, ...run }) => ({
      ...run,
      command: renderTemplate(test_command, context, 'lenient'),
    })),
    expected: spec.validators.map(({ expected_from, when }) => [expected_from, when].map(textOf(each))),
    // Phases have expectations of their own, and a script is given the whole case.
    conversation: each.user_simulator,
    ...(files.scripts && { ofCase }),
  };
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** The text that a reference of a validator finds in the case, null where it finds none. */
function textOf({ payload, inputs = [], expectations = [], assets = [] }: AuditedCase['case']) {
  const evidence = {
    payload,
    inputs: byKey(inputs),
    expectations: byKey(expectations),
    artifacts: Object.fromEntries(
      assets.map(({ key, path, artifact_id }) => [key, { key, path, content: artifact_id ?? null }]),
    ),
  };
  return (reference: string | undefined): string | null => {
    const parsed = reference === undefined ? null : parseReference(reference);
    return (parsed && caseText(evidence, parsed)) ?? null;
  };
}

function byKey(entries: readonly (CaseEntry & { key: string })[]): Record<string, CaseEntry> {
  return Object.fromEntries(entries.map((entry) => [entry.key, entry]));
}
