import type { ScriptConfig, ScriptStep } from '../plan.js';

/** A scripted deployment as it is kept: it may know cases by name. */
export interface ScriptedDeployment {
  steps?: ScriptStep[];
  by_case?: Record<string, ScriptStep[]>;
  stop_on_error?: boolean;
}

/** The script that plays one case; a plan never holds those of others. */
export function scriptFor(deployment: ScriptedDeployment, caseKey: string): ScriptConfig {
  const { steps = [], by_case = {}, stop_on_error = false } = deployment;
  return { steps: (Object.hasOwn(by_case, caseKey) && by_case[caseKey]) || steps, stop_on_error };
}
