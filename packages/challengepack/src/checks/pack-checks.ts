import { FieldPath } from '../decode/field-path.js';
import { checkEvaluationSpec } from '../evaluation-spec/checks/check-evaluation-spec.js';
import { checkAdversarialPrompts } from './adversarial-prompts.js';
import { checkAssets } from './assets.js';
import { checkCasesFrom } from './cases-from.js';
import { checkChallengeReferences, checkInstructions } from './challenges.js';
import { checkExpectedValues } from './expected-values.js';
import { checkHarnessTests } from './harness-tests.js';
import { checkImages } from './images.js';
import { checkMcpServers } from './mcp-servers.js';
import { checkMode } from './modes.js';
import { type CaseCheck, eachEntry, type PackCheck, type PlacedCase } from './pack-check.js';
import { checkRepeatedCases } from './repeated-cases.js';
import { checkSecurity } from './security.js';
import { checkSimulators } from './simulators.js';
import { checkSolutions } from './solutions.js';
import { checkSystemDirectories } from './system-directories.js';
import { checkTemplates } from './templates.js';
import { checkTools } from './tools.js';
import { checkVisibleExpectations } from './visible-expectations.js';
import { checkWithoutEffect } from './without-effect.js';
import { checkWorkspaceFiles } from './workspace-files.js';

/** Unless the block is empty it has lineups, and among them `default`. */
function checkDeploymentDefaults(check: PackCheck): void {
  const at = check.paths.version.field('deployment_defaults');
  const lineups = at.field('lineups');
  const hasContent = [at.field('aliases'), lineups].some(
    (field) => check.isWritten(field) && !check.isEmptyMap(field),
  );
  if (!hasContent) return;
  const read = check.pack.version?.deployment_defaults?.lineups;
  if (!read) check.require(lineups);
  const standard = lineups.key('default');
  if (read && !Object.hasOwn(read, 'default') && !check.problems.isFaulty(standard)) {
    check.require(standard, 'a lineup "default" is needed');
  }
}

/** The voice blocks mean nothing without the modality. */
function checkVoice(check: PackCheck): void {
  const modality = FieldPath.root.field('modality');
  if (check.pack.modality !== undefined || check.isUndecodable(modality)) return;
  const blocks = ['interface_spec', 'scenario'].map((name) => FieldPath.root.field(name));
  if (blocks.some((block) => check.isWritten(block)))
    check.require(modality, 'a voice pack declares modality: voice');
}

/** Policy settings that exclude each other or have no effect. */
function checkPolicy(check: PackCheck): void {
  const { tool_policy: policy, sandbox } = check.pack.version ?? {};
  const policyAt = check.paths.version.field('tool_policy');
  const sandboxAt = check.paths.version.field('sandbox');
  if (policy?.allowed_tool_kinds?.includes('shell') && policy.allow_shell === false) {
    check.report('contradiction', policyAt.field('allow_shell'), { message: 'the kind shell is allowed' });
  }
  const mayHaveNetwork =
    sandbox?.network_access === true || check.isUndecodable(sandboxAt.field('network_access'));
  if (mayHaveNetwork || check.isUndecodable(sandboxAt)) return;
  const message = 'this has no effect without sandbox.network_access: true';
  if (sandbox?.network_allowlist?.length) {
    check.report('value_ignored', sandboxAt.field('network_allowlist'), { message });
  }
  if (policy?.allow_network === true)
    check.report('value_ignored', policyAt.field('allow_network'), { message });
}

/** A case can take the network of the pack away, and not bring one. */
function checkCaseNetworks(check: PackCheck): void {
  const { sandbox } = check.pack.version ?? {};
  const sandboxAt = check.paths.version.field('sandbox');
  const isUnclear = check.isUndecodable(sandboxAt) || check.isUndecodable(sandboxAt.field('network_access'));
  if (isUnclear || sandbox?.network_access === true) return;
  for (const { case: each, at } of check.cases()) {
    if (each.sandbox?.network_access !== true) continue;
    const message =
      'the pack has no network, and a case cannot bring one: set version.sandbox.network_access';
    check.report('contradiction', at.field('sandbox').field('network_access'), { message });
  }
}

/** `submit` is always there. */
function checkDeniedTools(check: PackCheck): void {
  for (const [name, at] of eachEntry(check.pack.tools?.denied, check.paths.tools.field('denied'))) {
    if (name === 'submit') check.report('value_ignored', at, { message: 'submit cannot be denied' });
  }
}

const CHECKS: readonly ((check: PackCheck) => void)[] = [
  checkPolicy,
  checkCaseNetworks,
  checkImages,
  checkSystemDirectories,
  checkDeploymentDefaults,
  checkSpec,
  checkInstructions,
  checkInputSets,
  checkCasesFrom,
  checkTools,
  checkMcpServers,
  checkDeniedTools,
  checkSecurity,
  checkVoice,
];

/** Each checks the pack as far as cases depend on it, and returns its check of the cases. */
const CASE_CHECKS: readonly ((check: PackCheck) => CaseCheck | undefined)[] = [
  checkCaseKeys,
  checkChallengeReferences,
  checkAssets,
  checkWorkspaceFiles,
  checkSimulators,
  checkAdversarialPrompts,
  checkTemplates,
  checkSolutions,
  checkMode,
  checkWithoutEffect,
  checkRepeatedCases,
  checkVisibleExpectations,
  // Last: cases that have errors are not compared.
  checkExpectedValues,
  checkHarnessTests,
];

/** Reports everything that decoding alone cannot see; cases are checked as they come, those of the document first. */
export function checkPack(check: PackCheck): Required<CaseCheck> {
  for (const run of CHECKS) run(check);
  const checks = CASE_CHECKS.flatMap((run) => run(check) ?? []);
  const add = (cases: readonly PlacedCase[]) => {
    for (const each of checks) each.add(cases);
  };
  add([...check.cases()]);
  return {
    add,
    end() {
      for (const each of checks) each.end?.();
    },
  };
}

function checkSpec(check: PackCheck): void {
  const spec = check.pack.version?.evaluation_spec;
  const context = { executionMode: check.mode };
  if (spec) checkEvaluationSpec({ spec, at: check.paths.evaluationSpec, context }, check.problems);
}

/** Input sets, their legacy items, and the keys of their cases. */
function checkInputSets(check: PackCheck): void {
  const { inputSets } = check.paths;
  if (!check.pack.input_sets?.length && !check.isUndecodable(inputSets))
    check.report('no_input_sets', inputSets);
  for (const [set, setAt, index] of eachEntry(check.pack.input_sets, inputSets)) {
    const items = setAt.field('items');
    if (set.cases?.length && !check.isLegacy(index) && check.isWritten(items)) {
      check.report('value_ignored', items, { message: 'items are used only without cases' });
    }
  }
}

function checkCaseKeys(check: PackCheck): CaseCheck {
  const seen = new Map<object, Set<string>>();
  const add = ({ set, case: { case_key: key }, at }: PlacedCase) => {
    const [caseKey, itemKey] = [at.field('case_key'), at.field('item_key')];
    if (check.isUndecodable(caseKey) || check.isUndecodable(itemKey)) return;
    // The shape of items requires their item_key.
    const isLegacy = at.parent?.step === 'items';
    const known = seen.get(set) ?? new Set<string>();
    seen.set(set, known);
    if (key === undefined) {
      if (!isLegacy) check.require(caseKey, 'a case needs a case_key or an item_key');
    } else if (known.has(key)) {
      check.report(
        'not_unique',
        isKeyWritten(check, caseKey) || !check.isWritten(itemKey) ? caseKey : itemKey,
      );
    } else known.add(key);
  };
  return {
    add(cases) {
      for (const placed of cases) add(placed);
    },
  };
}

/** A blank case_key is absent: the key that counts is then the item_key. */
function isKeyWritten(check: PackCheck, at: FieldPath): boolean {
  return check.isWritten(at) && !check.isBlank(at);
}
