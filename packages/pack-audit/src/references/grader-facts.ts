import { graderChecks } from '@agentclash/attempt-plan';
import { renderTemplate, templateContext } from '@agentclash/challengepack';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';

/** The parts of the graders of one case by which an agent could aim. */
export interface GraderFacts {
  /** Commands of `code_execution` validators, filled in from the case. */
  testCommands: readonly string[];
  /** Files that test runs write and graders read. */
  reportPaths: readonly string[];
  /** Paths that are captured from the workspace, as the spec has them. */
  capturedPaths: readonly string[];
  validatorTypes: ReadonlySet<string>;
  workingDirectory: string;
}

export function graderFacts({ manifest, spec }: AuditedPack, { case: each }: AuditedCase): GraderFacts {
  const { checks, code_executions: runs } = graderChecks(spec);
  const context = templateContext(each.payload, each.inputs);
  return {
    testCommands: runs.map(({ test_command: command }) => renderTemplate(command, context, 'lenient')),
    reportPaths: runs.flatMap(({ report_path, reports = [] }) => [
      ...(report_path === undefined ? [] : [report_path]),
      ...reports.map(({ path }) => path),
    ]),
    capturedPaths: checks.map(({ path }) => path),
    validatorTypes: new Set(spec.validators.map(({ type }) => type)),
    workingDirectory: manifest.filesystem?.working_directory ?? '/workspace',
  };
}
