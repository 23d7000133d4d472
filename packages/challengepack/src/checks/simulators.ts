import { TURN_EXPECTATION_KINDS } from '@agentclash/domain';
import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { Expectation, Phase, Trigger } from '../pack/model.js';
import { compileRegex, regexProblem } from '../text/regex.js';
import { isBlank } from '../text/white-space.js';
import { type CaseCheck, eachEntry, type PackCheck, type PlacedCase } from './pack-check.js';

const UNEXECUTED: ReadonlySet<Trigger> = new Set<Trigger>([
  'on_validator_fail',
  'on_judge_below',
  'on_agent_loop',
  'on_max_llm_turns',
]);
const EXECUTED_EXPECTATIONS: ReadonlySet<string> = new Set(TURN_EXPECTATION_KINDS);
const TEXT_CONDITIONS = ['assistant_emitted:', 'user_token:'];

/** The phases of every user simulator that was read. */
export function checkSimulators(check: PackCheck): CaseCheck {
  return { add: (cases) => checkCases(check, cases) };
}

function checkCases(check: PackCheck, cases: readonly PlacedCase[]): void {
  for (const { case: each, at } of cases) {
    const phases = at.field('user_simulator').field('phases');
    let hasGate = false;
    for (const [phase, phaseAt, index] of eachEntry(each.user_simulator?.phases, phases)) {
      const triggerAt = phaseAt.field('trigger');
      checkTrigger(check, phase.trigger, { at: triggerAt, isFirst: index === 0 });
      if (phase.trigger === 'on_gate_passed' && !hasGate) {
        check.report('contradiction', triggerAt, { message: 'no phase before this one has a gate' });
      }
      checkActor(check, phase, phaseAt);
      checkGate(check, phase, phaseAt.field('gate').field('validator'));
      hasGate ||= phase.gate !== undefined || check.isUndecodable(phaseAt.field('gate'));
    }
  }
}

function checkTrigger(
  check: PackCheck,
  trigger: Trigger | undefined,
  { at, isFirst }: { at: FieldPath; isFirst: boolean },
): void {
  if (check.isUndecodable(at)) return;
  const isAlways = trigger === undefined || trigger === 'always';
  if (isAlways !== isFirst) {
    const message = isFirst
      ? 'the first phase is always entered'
      : 'a later phase needs a trigger other than always';
    check.report('trigger_position', at, { message });
  } else if (trigger !== undefined && UNEXECUTED.has(trigger)) {
    check.report('trigger_not_executed', at);
  }
}

/** A gate is graded while the conversation waits: by a command, not by what the whole attempt shows. */
function checkGate(check: PackCheck, { gate }: Draft<Phase>, at: FieldPath): void {
  const spec = check.pack.version?.evaluation_spec;
  if (gate?.validator === undefined || spec === undefined) return;
  const found = spec.validators?.find((validator) => validator?.key === gate.validator);
  if (found === undefined) check.report('unknown_reference', at);
  else if (found.type !== undefined && found.type !== 'code_execution') {
    check.report('contradiction', at, {
      message: `a gate runs a code_execution, and this is a ${found.type}`,
    });
  }
}

function checkActor(check: PackCheck, phase: Draft<Phase>, at: FieldPath): void {
  const { actor } = phase;
  if (actor !== undefined && actor !== 'llm' && phase.model !== undefined) {
    check.report('actor_conflict', at.field('model'), {
      message: `a phase with actor ${actor} has no model`,
    });
  }
  if (actor === 'llm') checkConditions(check, phase, at.field('until'));
  if (actor !== 'scripted') return;
  for (const [turn, turnAt] of eachEntry(phase.turns, at.field('turns'))) {
    for (const [expected, location] of eachEntry(turn.expects, turnAt.field('expects'))) {
      checkExpected(check, expected, location);
    }
  }
}

function checkConditions(check: PackCheck, { until }: Draft<Phase>, at: FieldPath): void {
  for (const [condition, location] of eachEntry(until, at)) {
    const prefix = TEXT_CONDITIONS.find((known) => condition.startsWith(known));
    const holds = prefix === undefined ? condition === 'max_turns' : !isBlank(condition.slice(prefix.length));
    if (!holds) check.report('condition_not_executed', location);
  }
}

function checkExpected(check: PackCheck, expected: Draft<Expectation>, at: FieldPath): void {
  const { kind, value, source, artifact_key } = expected;
  if (kind === undefined) return;
  if (!EXECUTED_EXPECTATIONS.has(kind)) {
    check.report('expectation_not_executed', at.field('kind'));
    return;
  }
  const sources = [source, artifact_key];
  const isUnreadable = ['source', 'artifact_key'].some((name) => check.isUndecodable(at.field(name)));
  const valueAt = at.field('value');
  if (value === undefined) {
    if (sources.every((given) => given === undefined) && !isUnreadable) check.require(valueAt);
  } else if (kind === 'regex_match' && (typeof value !== 'string' || !compileRegex(value))) {
    const message = typeof value === 'string' ? regexProblem(value) : 'a regular expression is a text';
    check.report('invalid_regex', valueAt, message === null ? {} : { message });
  }
}
