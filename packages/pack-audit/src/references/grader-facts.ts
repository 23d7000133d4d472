import { graderChecks } from '@agentclash/attempt-plan';
import {
  GRADER_DIRECTORY,
  graderFiles,
  type Report,
  renderTemplate,
  templateContext,
  workingDirectoryOf,
} from '@agentclash/challengepack';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';

/** The parts of the graders of one case by which an agent could aim. */
export interface GraderFacts {
  /** Commands of `code_execution` validators, filled in from the case. */
  testCommands: readonly string[];
  /** Files that test runs write and graders read. */
  reports: readonly Report[];
  /** Absolute paths of the files that only graders see; a test run has them, an agent never. */
  graderPaths: readonly string[];
  /** Paths that are captured from the workspace, as the spec has them. */
  capturedPaths: readonly string[];
  workingDirectory: string;
}

export function graderFacts(
  { manifest, spec }: Pick<AuditedPack, 'manifest' | 'spec'>,
  { case: each }: AuditedCase,
): GraderFacts {
  const { checks, code_executions: runs } = graderChecks(spec);
  const context = templateContext(each.payload, each.inputs);
  const expectations = (each.expectations ?? []).map(({ key }) => `${GRADER_DIRECTORY}/${key}`);
  return {
    testCommands: runs.map(({ test_command: command }) => renderTemplate(command, context, 'lenient')),
    reports: runs.flatMap(({ report_path: path, reports = [] }) => [
      ...(path === undefined ? [] : [{ path, format: 'junit' as const }]),
      ...reports,
    ]),
    graderPaths: [...expectations, ...graderFiles(manifest, each).map(({ path }) => path)],
    capturedPaths: checks.map(({ path }) => path),
    workingDirectory: workingDirectoryOf(manifest, each),
  };
}
