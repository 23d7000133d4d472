import type { FieldPath } from '../decode/field-path.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import {
  hasEmptySegment,
  lookUp,
  templateContext,
  templatePaths,
  unclosedPaths,
} from '../templates/template.js';
import { type CaseCheck, eachEntry, type PackCheck, type PlacedCase } from './pack-check.js';

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
export function checkTemplates(check: PackCheck): CaseCheck {
  const templates = [...testCommands(check), ...instructions(check)];
  return {
    add(cases) {
      for (const placed of cases) {
        const context = contextOf(check, placed);
        if (!context) continue;
        checkMessages(check, placed, context);
        for (const template of templates) template.add(context);
      }
    },
    end() {
      for (const template of templates) template.report(check);
    },
  };
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

function testCommands(check: PackCheck): TemplateOfCases[] {
  const validators = check.pack.version?.evaluation_spec?.validators;
  const at = check.paths.evaluationSpec.field('validators');
  return [...eachEntry(validators, at)].map(([validator, location]) => {
    const command = testCommandOf(validator);
    const config = location.field('config');
    const hasHarness = check.isWritten(config.field('harness'));
    return new TemplateOfCases(check, command, config.field(hasHarness ? 'harness' : 'test_command'));
  });
}

/** The instruction that counts of each challenge, for its own cases. */
function instructions(check: PackCheck): TemplateOfCases[] {
  return [...eachEntry(check.pack.challenges, check.paths.challenges)].flatMap(([challenge, at]) => {
    const text = challenge.definition?.instructions;
    if (typeof text !== 'string') return [];
    const inDefinition = at.field('definition').key('instructions');
    const location = check.isWritten(inDefinition) ? inDefinition : at.field('instructions');
    // Without a key it is the challenge of no case.
    return [new TemplateOfCases(check, text, location, challenge.key ?? null)];
  });
}

/** A template that is filled for many cases. */
class TemplateOfCases {
  /** The first cases without the value of each path, and one more than are named. */
  readonly #missing = new Map<string, string[]>();

  constructor(
    check: PackCheck,
    text: string,
    private readonly location: FieldPath,
    private readonly challengeKey?: string | null,
  ) {
    reportUnclosed(check, text, location);
    for (const path of templatePaths(text)) {
      if (!reportEmptySegment(check, path, location)) this.#missing.set(path, []);
    }
  }

  add({ name, challengeKey, context }: CaseContext): void {
    if (this.challengeKey !== undefined && this.challengeKey !== challengeKey) return;
    for (const [path, names] of this.#missing) {
      if (names.length <= CASES_NAMED_MAX && lookUp(context, path) === undefined) names.push(name);
    }
  }

  report(check: PackCheck): void {
    for (const [path, names] of this.#missing) {
      if (names.length === 0) continue;
      const named = names.length > CASES_NAMED_MAX ? [...names.slice(0, -1), 'and more'] : names;
      const message = `{{${shown(path)}}} has no value in ${named.join(', ')}`;
      check.report('unresolved_placeholder', this.location, { message });
    }
  }
}

function testCommandOf(validator: { type?: unknown; config?: unknown }): string {
  if (validator.type !== 'code_execution' || !isJsonObject(validator.config)) return '';
  const { test_command: command, harness } = validator.config;
  if (typeof command === 'string') return command;
  return isJsonObject(harness) ? Object.values(harness).flat().filter(isText).join(' ') : '';
}

function isText(value: JsonValue): value is string {
  return typeof value === 'string';
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
