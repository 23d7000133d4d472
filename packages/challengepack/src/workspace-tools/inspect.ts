import type { StepTarget } from '@agentclash/domain';
import type { ProblemCode } from '../decode/problem-codes.js';
import { nearestName } from '../text/nearest-name.js';
import { CHAIN_TOOLS_MAX } from '../tools/delegation.js';
import { mockStrategy } from '../tools/mock.js';
import { parameterNames, parameterSchemaProblem } from '../tools/parameters.js';
import { isPlaceholder, type Placeholder, type TemplatePart, templateParts } from '../tools/placeholder.js';
import { isPrimitiveName, PRIMITIVE_NAMES } from '../tools/primitives.js';
import { textsIn } from '../tools/texts.js';
import { secretProblems } from './secrets.js';
import { ToolGraph } from './tool-graph.js';
import { delegations, isNestedTooDeeply, type WorkspaceToolDraft } from './workspace-tool.js';

/** A problem of a workspace tool, in the codes that publishing has for the tools of a pack. */
export interface ToolProblem {
  code: ProblemCode;
  field: string;
  message: string;
  suggestion?: string;
}

export interface InspectOptions {
  /** Returns the problem of the tool's parameters; a service has read them before, in a thread. */
  readParameters?: typeof parameterSchemaProblem;
}

/**
 * Problems of a tool beside the other active ones of its workspace: by itself, along its chains, and as a part
 * of the chains of those that delegate to it.
 */
export function inspectWorkspaceTool(
  tool: WorkspaceToolDraft,
  others: readonly WorkspaceToolDraft[],
  { readParameters = parameterSchemaProblem }: InspectOptions = {},
): ToolProblem[] {
  if (isNestedTooDeeply({ ...tool.definition.parameters, definition: definitionJson(tool) })) {
    return [{ code: 'malformed', field: 'definition', message: 'is nested too deeply' }];
  }
  const graph = new ToolGraph([...others.filter(({ name }) => name !== tool.name), tool]);
  const problems = [
    ...declarationProblems(tool, readParameters),
    ...placeholderProblems(tool),
    ...delegationProblems(tool, graph),
  ];
  if (problems.length > 0) return problems;
  return [...chainProblems(tool, graph), ...problemsOfUsers(tool, graph)];
}

function definitionJson({ definition: { implementation, steps } }: WorkspaceToolDraft) {
  if (implementation?.mode === 'mock') return [{ ...implementation.mock }];
  return [implementation?.args ?? {}, ...(steps ?? []).map(({ inputs }) => inputs)];
}

function declarationProblems(
  { name, tool_kind, definition }: WorkspaceToolDraft,
  readParameters: typeof parameterSchemaProblem,
): ToolProblem[] {
  const { parameters, implementation, steps } = definition;
  const problems: ToolProblem[] = [];
  const report = (code: ProblemCode, field: string, message: string) =>
    problems.push({ code, field, message });
  if (isPrimitiveName(name)) report('reserved_name', 'name', `"${name}" is a primitive`);
  const schemaProblem = parameters ? readParameters(parameters) : null;
  if (schemaProblem !== null) report('invalid_schema', 'definition.parameters', schemaProblem);
  const [needed, other] =
    tool_kind === 'composed'
      ? (['steps', 'implementation'] as const)
      : (['implementation', 'steps'] as const);
  if (!definition[needed])
    report('required', `definition.${needed}`, `is required for the kind ${tool_kind}`);
  if (definition[other]) report('contradiction', `definition.${other}`, `is not for the kind ${tool_kind}`);
  for (const [index, { id }] of (steps ?? []).entries()) {
    const isRepeated = (steps ?? []).slice(0, index).some((step) => step.id === id);
    if (isRepeated) report('not_unique', `definition.steps.${index}.id`, 'is the id of an earlier step');
  }
  if (implementation?.mode === 'mock') problems.push(...mockProblems(implementation.mock));
  return problems;
}

const MOCK_NEEDS = { static: ['response'], lookup: ['lookup_key', 'responses'], echo: ['template'] } as const;

function mockProblems(mock: Parameters<typeof mockStrategy>[0]): ToolProblem[] {
  const strategy = mockStrategy(mock);
  return MOCK_NEEDS[strategy]
    .filter((field) => mock[field] === undefined)
    .map((field) => ({
      code: 'required',
      field: `definition.implementation.mock.${field}`,
      message: `is required for a mock of the strategy ${strategy}`,
    }));
}

function delegationProblems(tool: WorkspaceToolDraft, graph: ToolGraph): ToolProblem[] {
  const refs = tool.tool_kind === 'composed' ? (tool.definition.steps ?? []).map(({ ref }) => ref) : [];
  return delegations(tool).flatMap(({ to, nameAt }, index): ToolProblem[] => {
    const wanted = refs[index]?.type;
    if (to === tool.name) return [{ code: 'self_reference', field: nameAt, message: 'is the tool itself' }];
    const isKnown = wanted === 'tool' ? graph.find(to) : isPrimitiveName(to) || (!wanted && graph.find(to));
    if (!isKnown) return [unknownDelegate(to, { nameAt, wanted, graph })];
    const isCircle = !isPrimitiveName(to) && graph.chainOf(to).includes(tool);
    return isCircle
      ? [{ code: 'delegation_cycle', field: nameAt, message: `"${to}" leads back to this tool` }]
      : [];
  });
}

function unknownDelegate(
  to: string,
  { nameAt, wanted, graph }: { nameAt: string; wanted: StepTarget | undefined; graph: ToolGraph },
): ToolProblem {
  const names = [
    ...(wanted === 'tool' ? [] : PRIMITIVE_NAMES),
    ...(wanted === 'primitive' ? [] : graph.names()),
  ];
  const suggestion = nearestName(to, names);
  return {
    code: 'unknown_reference',
    field: nameAt,
    message: `names no ${wanted === 'primitive' ? 'primitive' : wanted === 'tool' ? 'active tool' : 'primitive or active tool'}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`,
    ...(suggestion !== undefined && { suggestion }),
  };
}

function chainProblems(tool: WorkspaceToolDraft, graph: ToolGraph): ToolProblem[] {
  const tooDeep = delegations(tool).flatMap(({ to, nameAt }): ToolProblem[] => {
    const reach = graph.reachOf(to);
    if (reach.kind === 'endless' || reach.hops < CHAIN_TOOLS_MAX) return [];
    const message = `makes a chain of ${reach.hops + 1} tools; at most ${CHAIN_TOOLS_MAX} may delegate in a row`;
    return [{ code: 'delegation_too_deep', field: nameAt, message }];
  });
  return [...tooDeep, ...secretProblems(tool, graph)];
}

/** Problems that would arise in the tools whose chains this one is part of. */
function problemsOfUsers(tool: WorkspaceToolDraft, graph: ToolGraph): ToolProblem[] {
  return graph.names().flatMap((name) => {
    const user = graph.find(name);
    if (!user || user === tool || !graph.chainOf(name).includes(tool)) return [];
    return chainProblems(user, graph).map(({ code, message }) => ({
      code,
      field: 'definition',
      message: `does not fit "${name}", which delegates to this tool: ${message}`,
    }));
  });
}

/** Placeholders are well-formed, and name declared parameters or results of earlier steps. */
function placeholderProblems(tool: WorkspaceToolDraft): ToolProblem[] {
  const { implementation, parameters, steps = [] } = tool.definition;
  if (implementation?.mode === 'mock') {
    const template = implementation.mock.template;
    return problemsIn(template, 'definition.implementation.mock.template', () => true);
  }
  const names = parameterNames(parameters);
  return delegations(tool).flatMap(({ args, argsAt }, index) => {
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
