import type { EvaluationSpec } from '@agentclash/challengepack';
import type { CodeExecutionCheck, GraderPlan } from '../plan.js';

/** The parts of an evaluation spec that run in the verifier sandbox, in spec order. */
export function graderChecks(spec: EvaluationSpec): Pick<GraderPlan, 'checks' | 'code_executions'> {
  return {
    checks: spec.post_execution_checks,
    code_executions: spec.validators.flatMap((validator): CodeExecutionCheck[] => {
      if (validator.type !== 'code_execution') return [];
      const { test_command, timeout_ms, report_path } = validator.config;
      return [
        {
          validator_key: validator.key,
          test_command,
          timeout_ms,
          ...(report_path !== undefined && { report_path }),
        },
      ];
    }),
  };
}

/** Whether a plan has captures or test runs. */
export function needsVerifier({
  checks,
  code_executions,
}: Pick<GraderPlan, 'checks' | 'code_executions'>): boolean {
  return checks.length + code_executions.length > 0;
}
