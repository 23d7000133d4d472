import type { ExecutionMode } from '@agentclash/domain';
import type { FieldPath } from '../decode/field-path.js';
import { isBlank } from '../text/white-space.js';
import { type CaseCheck, eachEntry, type PackCheck, type PlacedCase } from './pack-check.js';

const TOOLS_FIELDS = ['custom', 'allowed', 'denied', 'mcp_servers'];
const TOOL_POLICY_FIELDS = ['allowed_tool_kinds', 'allow_shell', 'allow_network'];

type Rule = (check: PackCheck, mode: ExecutionMode) => void;
type CaseRule = (check: PackCheck, mode: ExecutionMode, cases: readonly PlacedCase[]) => void;

/** The fields that each execution mode needs and refuses; the evaluation spec's part is checked with the spec. */
const RULES: Record<ExecutionMode, readonly Rule[]> = {
  native: [],
  multi_turn: [],
  responses: [refuseTools, requireInstructions],
  prompt_eval: [refuseTools, refuseSandbox, requireInstructions],
};
const CASE_RULES: Record<ExecutionMode, CaseRule> = {
  native: checkConversations,
  multi_turn: requireSimulators,
  responses: refuseSimulators,
  prompt_eval: refuseSimulators,
};

export function checkMode(check: PackCheck): CaseCheck | undefined {
  const { mode } = check;
  if (!mode) return undefined;
  for (const rule of RULES[mode]) rule(check, mode);
  if (mode !== 'native' && mode !== 'multi_turn') refuseOwnModes(check, mode);
  return { add: (cases) => CASE_RULES[mode](check, mode, cases) };
}

function refuse(check: PackCheck, at: FieldPath, mode: ExecutionMode): void {
  check.report('mode_conflict', at, { message: `mode ${mode} does not allow this` });
}

function refuseOwnModes(check: PackCheck, mode: ExecutionMode): void {
  for (const [challenge, at] of eachEntry(check.pack.challenges, check.paths.challenges)) {
    if (challenge.execution_mode !== undefined) refuse(check, at.field('execution_mode'), mode);
  }
}

function refuseTools(check: PackCheck, mode: ExecutionMode): void {
  const { tools } = check.paths;
  if (check.hasAnyField(tools, TOOLS_FIELDS)) refuse(check, tools, mode);
}

function refuseSandbox(check: PackCheck, mode: ExecutionMode): void {
  const sandbox = check.paths.version.field('sandbox');
  const policy = check.paths.version.field('tool_policy');
  if (check.isWritten(sandbox)) refuse(check, sandbox, mode);
  if (check.hasAnyField(policy, TOOL_POLICY_FIELDS)) refuse(check, policy, mode);
  for (const { case: each, at } of check.cases()) {
    if (each.sandbox !== undefined) refuse(check, at.field('sandbox'), mode);
  }
}

/** A challenge of its own mode has conversations, and the others have none. */
function checkConversations(check: PackCheck, mode: ExecutionMode, cases: readonly PlacedCase[]): void {
  const conversations = new Set(
    check.pack.challenges?.flatMap((each) => (each?.execution_mode === undefined ? [] : each.key)),
  );
  const isConversation = (placed: PlacedCase) => conversations.has(placed.case.challenge_key);
  requireSimulators(check, mode, cases.filter(isConversation));
  refuseSimulators(
    check,
    mode,
    cases.filter((placed) => !isConversation(placed)),
  );
}

function refuseSimulators(check: PackCheck, mode: ExecutionMode, cases: readonly PlacedCase[]): void {
  for (const { at } of cases) {
    const simulator = at.field('user_simulator');
    if (!isItem(at) && check.isWritten(simulator)) refuse(check, simulator, mode);
  }
}

function requireSimulators(check: PackCheck, _mode: ExecutionMode, cases: readonly PlacedCase[]): void {
  for (const { case: each, at } of cases) {
    if (each.user_simulator === undefined) {
      check.require(at.field('user_simulator'), 'mode multi_turn needs a user simulator in every case');
    }
  }
}

/** A legacy item has no such field: the key is misplaced there, which is reported already. */
function isItem(at: FieldPath): boolean {
  return at.parent?.step === 'items';
}

function requireInstructions(check: PackCheck, mode: ExecutionMode): void {
  for (const [challenge, at] of eachEntry(check.pack.challenges, check.paths.challenges)) {
    const effective = challenge.definition?.instructions;
    if (typeof effective === 'string' && !isBlank(effective)) continue;
    if (check.isUndecodable(at.field('definition'))) continue;
    check.require(at.field('instructions'), `mode ${mode} needs instructions`);
  }
}
