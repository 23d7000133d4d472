import { parameterNames } from '../tools/parameters.js';
import { isPlaceholder, type Placeholder, type TemplatePart, templateParts } from '../tools/placeholder.js';
import { textsIn } from '../tools/texts.js';
import type { ToolProblem } from './inspect.js';
import { handingsOn, type WorkspaceToolDraft } from './workspace-tool.js';

/** Placeholders are well-formed, and name declared parameters or results of earlier steps. */
export function placeholderProblems(tool: WorkspaceToolDraft): ToolProblem[] {
  const { implementation, parameters, steps = [] } = tool.definition;
  if (implementation?.mode === 'mock') {
    const template = implementation.mock.template;
    return problemsIn(template, 'definition.implementation.mock.template', () => true);
  }
  const names = parameterNames(parameters);
  return handingsOn(tool).flatMap(({ args, argsAt }, index) => {
    const earlier = new Set(steps.slice(0, index).map(({ id }) => id));
    const isKnown = tool.tool_kind === 'composed' ? inStep(names, earlier) : inArguments(names);
    return problemsIn(args, argsAt, isKnown);
  });
}

type IsKnown = (path: readonly string[]) => boolean;

const inArguments =
  (names: ReadonlySet<string>): IsKnown =>
  ([root = '']) =>
    names.has(root);

/** In steps, `params.x` is `x`, and `steps.ID` what an earlier step gave. */
const inStep =
  (names: ReadonlySet<string>, earlier: ReadonlySet<string>): IsKnown =>
  ([root = '', next]) => {
    if (root === 'params') return next === undefined || names.has(next);
    return root === 'steps' ? next !== undefined && earlier.has(next) : names.has(root);
  };

function problemsIn(value: Parameters<typeof textsIn>[0], at: string, isKnown: IsKnown): ToolProblem[] {
  return [...textsIn(value)].flatMap(([text, steps]) =>
    templateParts(text).flatMap((part): ToolProblem[] => {
      const field = [at, ...steps].join('.');
      if (isInvalid(part)) {
        const message = `holds ${shown(part.invalid)}, which is no placeholder; write $$\{ for a literal $\{`;
        return [{ code: 'invalid_placeholder', field, message }];
      }
      if (typeof part === 'string' || part.ref.kind !== 'path' || isKnown(part.ref.path)) return [];
      const message = `holds ${shown(part.source)}, but no parameter and no earlier step has that name`;
      return [{ code: 'unknown_placeholder', field, message }];
    }),
  );
}

function isInvalid(part: TemplatePart): part is Exclude<TemplatePart, string | Placeholder> {
  return typeof part !== 'string' && !isPlaceholder(part);
}

const SHOWN_MAX = 80;

function shown(source: string): string {
  return source.length > SHOWN_MAX ? `${source.slice(0, SHOWN_MAX)}…` : source;
}
