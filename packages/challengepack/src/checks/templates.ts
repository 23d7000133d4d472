import type { FieldPath } from '../decode/field-path.js';
import { isJsonObject, type JsonObject } from '../json.js';
import {
  hasEmptySegment,
  lookUp,
  templateContext,
  templatePaths,
  unclosedPaths,
} from '../templates/template.js';
import { eachEntry, type PackCheck, type PlacedCase } from './pack-check.js';

interface CaseContext {
  name: string;
  challengeKey: string | undefined;
  context: JsonObject;
}

const CASES_NAMED_MAX = 5;

/**
 * Templates that must resolve: test commands for every case, instructions for every case of their challenge, scripted
 * messages for their own.
 */
export function checkTemplates(check: PackCheck): void {
  const contexts: CaseContext[] = [];
  for (const placed of check.cases()) {
    const context = contextOf(check, placed);
    if (!context) continue;
    contexts.push(context);
    checkMessages(check, placed, context);
  }
  checkTestCommands(check, contexts);
  checkInstructionTemplates(check, contexts);
}

/** Undefined when an unreadable part might hold what a template names. */
function contextOf(check: PackCheck, { set, case: each, at }: PlacedCase): CaseContext | undefined {
  const inputs = at.field('inputs');
  if (check.isUndecodable(at.field('payload')) || check.hasHoles(each.inputs, inputs)) return undefined;
  const readable = (each.inputs ?? []).flatMap((input) =>
    input?.key === undefined
      ? []
      : [{ key: input.key, ...(input.value !== undefined && { value: input.value }) }],
  );
  return {
    name: `${set.key ?? '?'}/${each.case_key ?? '?'}`,
    challengeKey: each.challenge_key,
    context: templateContext(each.payload ?? {}, readable),
  };
}

function checkMessages(check: PackCheck, { case: each, at }: PlacedCase, { context }: CaseContext): void {
  const phases = at.field('user_simulator').field('phases');
  for (const [phase, phaseAt] of eachEntry(each.user_simulator?.phases, phases)) {
    if (phase.actor !== 'scripted') continue;
    for (const [turn, turnAt] of eachEntry(phase.turns, phaseAt.field('turns'))) {
      const location = turnAt.field('message');
      reportUnclosed(check, turn.message ?? '', location);
      for (const path of templatePaths(turn.message ?? '')) {
        if (reportEmptySegment(check, path, location) || lookUp(context, path) !== undefined) continue;
        check.report('unresolved_placeholder', location, {
          message: `{{${shown(path)}}} has no value in this case`,
        });
      }
    }
  }
}

function checkTestCommands(check: PackCheck, contexts: readonly CaseContext[]): void {
  const missing = new Map<string, string[]>();
  const validators = check.pack.version?.evaluation_spec?.validators;
  for (const [validator, at] of eachEntry(validators, check.paths.evaluationSpec.field('validators'))) {
    const command = testCommandOf(validator);
    const location = at.field('config').field('test_command');
    checkForCases(check, { text: command, location, contexts, missing });
  }
}

/** The instruction that counts of each challenge, for its own cases. */
function checkInstructionTemplates(check: PackCheck, contexts: readonly CaseContext[]): void {
  const byChallenge = new Map<string, CaseContext[]>();
  for (const each of contexts) {
    if (each.challengeKey === undefined) continue;
    const own = byChallenge.get(each.challengeKey);
    if (own) own.push(each);
    else byChallenge.set(each.challengeKey, [each]);
  }
  for (const [challenge, at] of eachEntry(check.pack.challenges, check.paths.challenges)) {
    const text = challenge.definition?.instructions;
    if (typeof text !== 'string') continue;
    const inDefinition = at.field('definition').key('instructions');
    const location = check.isWritten(inDefinition) ? inDefinition : at.field('instructions');
    const own = challenge.key === undefined ? undefined : byChallenge.get(challenge.key);
    checkForCases(check, { text, location, contexts: own ?? [], missing: new Map() });
  }
}

interface TemplateOfCases {
  text: string;
  location: FieldPath;
  contexts: readonly CaseContext[];
  /** The cases without a value, of the paths that were looked up already. */
  missing: Map<string, string[]>;
}

function checkForCases(check: PackCheck, { text, location, contexts, missing }: TemplateOfCases): void {
  reportUnclosed(check, text, location);
  for (const path of templatePaths(text)) {
    if (reportEmptySegment(check, path, location)) continue;
    const cases = missing.get(path) ?? casesWithout(path, contexts);
    missing.set(path, cases);
    if (cases.length === 0) continue;
    const message = `{{${shown(path)}}} has no value in ${cases.join(', ')}`;
    check.report('unresolved_placeholder', location, { message });
  }
}

function testCommandOf(validator: { type?: unknown; config?: unknown }): string {
  if (validator.type !== 'code_execution' || !isJsonObject(validator.config)) return '';
  const { test_command: command } = validator.config;
  return typeof command === 'string' ? command : '';
}

/** The first cases without the value; the search ends when enough are found to name. */
function casesWithout(path: string, contexts: readonly CaseContext[]): string[] {
  const names: string[] = [];
  for (const { name, context } of contexts) {
    if (lookUp(context, path) !== undefined) continue;
    if (names.length === CASES_NAMED_MAX) return [...names, 'and more'];
    names.push(name);
  }
  return names;
}

function reportUnclosed(check: PackCheck, text: string, at: FieldPath): void {
  for (const path of unclosedPaths(text)) {
    const message = `{{${shown(path)} is not closed: write {{${shown(path)}}}`;
    check.report('unresolved_placeholder', at, { message });
  }
}

function reportEmptySegment(check: PackCheck, path: string, at: FieldPath): boolean {
  if (!hasEmptySegment(path)) return false;
  check.report('invalid_placeholder', at, { message: `{{${shown(path)}}} has an empty segment` });
  return true;
}

function shown(path: string): string {
  return path.length > 80 ? `${path.slice(0, 80)}…` : path;
}
