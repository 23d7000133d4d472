import { ContractError, type ErrorCode } from '@agentclash/contracts';

/** Why a run cannot be created. */
export interface AdmissionProblem {
  code: ErrorCode;
  message: string;
}

export interface Warning {
  code: string;
  message: string;
}

/** Fails with the problem, if there is one. */
export function refuse(problem: AdmissionProblem | undefined): void {
  if (problem) throw new ContractError(problem.code, problem.message);
}
