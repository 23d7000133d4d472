import type { FieldPath } from '../decode/field-path.js';
import type { JsonObject } from '../json.js';
import { parameterNames } from '../tools/parameters.js';
import { isPlaceholder, placeholderProblem, type TemplatePart, templateParts } from '../tools/placeholder.js';
import { textsIn } from '../tools/texts.js';
import type { PackCheck } from './pack-check.js';
import type { PlacedTool } from './tool-set.js';

/** Placeholders in a delegate's `args` and in an echo template are well-formed; in `args` their roots are declared. */
export function checkPlaceholders(check: PackCheck, { tool, at, implementationAt }: PlacedTool): void {
  const { type, args, strategy, template } = tool.implementation ?? {};
  if (type === 'mock') {
    if (strategy === 'echo') checkTexts(check, template, implementationAt.field('template'));
    return;
  }
  const areNamesKnown = !check.problems.isFaulty(at.field('parameters'));
  const names = areNamesKnown ? parameterNames(tool.parameters) : undefined;
  checkTexts(check, args, implementationAt.field('args'), names);
}

function checkTexts(
  check: PackCheck,
  template: JsonObject | undefined,
  at: FieldPath,
  names?: ReadonlySet<string>,
): void {
  for (const [text, steps] of textsIn(template)) {
    for (const part of templateParts(text)) {
      const problem = problemOf(part, names);
      if (!problem) continue;
      check.report(problem, at.below(steps), { message: `${sourceOf(part)}: ${MESSAGES[problem]}` });
    }
  }
}

const MESSAGES = {
  invalid_placeholder: 'not a placeholder; write $${ for a literal ${',
  unknown_placeholder: 'parameters.properties declares no such name',
} as const;

function problemOf(part: TemplatePart, names: ReadonlySet<string> | undefined) {
  const problem = placeholderProblem(part, names ?? new Set());
  return problem === 'unknown_placeholder' && !names ? undefined : problem;
}

const SHOWN_MAX = 80;

function sourceOf(part: TemplatePart): string {
  const source = typeof part === 'string' ? part : isPlaceholder(part) ? part.source : part.invalid;
  return source.length > SHOWN_MAX ? `${source.slice(0, SHOWN_MAX)}…` : source;
}
