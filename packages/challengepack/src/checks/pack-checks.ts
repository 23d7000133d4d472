import { checkEvaluationSpec } from '../evaluation-spec/evaluation-spec.js';
import { checkAdversarialPrompts } from './adversarial-prompts.js';
import { checkAssets } from './assets.js';
import { checkChallengeReferences, checkInstructions } from './challenges.js';
import { checkDeploymentDefaults } from './deployment-defaults.js';
import { checkExpectedValues } from './expected-values.js';
import { checkInputSets } from './input-sets.js';
import { checkMode } from './modes.js';
import type { PackCheck } from './pack-check.js';
import { checkDeniedTools, checkPolicy } from './policy.js';
import { checkSecurity } from './security.js';
import { checkSimulators } from './simulators.js';
import { checkTemplates } from './templates.js';
import { checkTools } from './tools.js';
import { checkVoice } from './voice.js';
import { checkWithoutEffect } from './without-effect.js';
import { checkWorkspaceFiles } from './workspace-files.js';

const CHECKS: readonly ((check: PackCheck) => void)[] = [
  checkPolicy,
  checkDeploymentDefaults,
  checkSpec,
  checkInstructions,
  checkInputSets,
  checkChallengeReferences,
  checkAssets,
  checkWorkspaceFiles,
  checkSimulators,
  checkTools,
  checkDeniedTools,
  checkSecurity,
  checkAdversarialPrompts,
  checkVoice,
  checkTemplates,
  checkMode,
  checkWithoutEffect,
  // Last: cases that have errors are not compared.
  checkExpectedValues,
];

/** Reports everything that decoding alone cannot see. */
export function checkPack(check: PackCheck): void {
  for (const run of CHECKS) run(check);
}

function checkSpec(check: PackCheck): void {
  const spec = check.pack.version?.evaluation_spec;
  const context = { executionMode: check.mode };
  if (spec) checkEvaluationSpec({ spec, at: check.paths.evaluationSpec, context }, check.problems);
}
