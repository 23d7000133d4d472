import type { FieldPath } from '../decode/field-path.js';
import type { JsonObject } from '../json.js';
import { CHAIN_TOOLS_MAX } from '../tools/delegation.js';
import { parameterNames, parameterSchemaProblem } from '../tools/parameters.js';
import { isPlaceholder, placeholderProblem, type TemplatePart, templateParts } from '../tools/placeholder.js';
import { admittedPrimitives } from '../tools/policy.js';
import { isPrimitiveName } from '../tools/primitives.js';
import { textsIn } from '../tools/texts.js';
import type { PackCheck } from './pack-check.js';
import { checkSecrets } from './secrets.js';
import { type PlacedTool, ToolSet } from './tool-set.js';

/** The custom tools, one by one and along their chains. */
export function checkTools(check: PackCheck): void {
  const tools = new ToolSet(check);
  for (const tool of tools.placed()) {
    checkDeclaration(check, tool, tools);
    checkPlaceholders(check, tool);
    checkDelegation(check, tool, tools);
    checkSecrets(check, tool, tools);
  }
}

function checkDeclaration(
  check: PackCheck,
  { tool, at, implementationAt }: PlacedTool,
  tools: ToolSet,
): void {
  if (tool.name !== undefined && isPrimitiveName(tool.name)) {
    check.report('reserved_name', at.field('name'), { message: `"${tool.name}" is a primitive` });
  }
  const parameters = at.field('parameters');
  if (tool.parameters && !check.isUndecodable(parameters)) {
    const message = parameterSchemaProblem(tool.parameters);
    if (message !== null) check.report('invalid_schema', parameters, { message });
  }
  const { type, primitive } = tool.implementation ?? {};
  if (type === 'mock' || primitive === undefined || tools.delegation.knows(primitive) || tools.hasHoles)
    return;
  const suggestion = tools.nearest(primitive);
  check.report('unknown_reference', implementationAt.field('primitive'), {
    message: `there is no primitive or tool "${primitive}"`,
    ...(suggestion && { suggestion }),
  });
}

/** Where a tool's chain leads: it must end, soon enough, in something the policy admits. */
function checkDelegation(check: PackCheck, placed: PlacedTool, tools: ToolSet): void {
  const at = placed.implementationAt.field('primitive');
  const reach = tools.delegation.reachOf(placed.index);
  if (reach.kind === 'self') check.report('self_reference', at);
  if (reach.kind === 'cycle') check.report('delegation_cycle', at);
  if (reach.kind !== 'ends') return;
  if (reach.hops > CHAIN_TOOLS_MAX) {
    check.report('delegation_too_deep', at, {
      message: `more than ${CHAIN_TOOLS_MAX} tools delegate in a row`,
    });
  }
  if (reach.end === 'mock' || !isPolicyKnown(check)) return;
  if (reach.end === 'submit' || !admittedPrimitives(policyOf(check)).has(reach.end)) {
    check.report('tool_never_allowed', at, {
      message: `the chain ends in ${reach.end}, which the policy does not admit: the tool is never offered`,
    });
  }
}

/** The parts of the draft that decide which kinds of tools it admits. */
export function policyOf(check: PackCheck) {
  const { tool_policy: policy, sandbox } = check.pack.version ?? {};
  const { allowed_tool_kinds: kinds, ...rest } = policy ?? {};
  const known = kinds?.filter((kind) => kind !== undefined);
  return {
    tool_policy: { ...rest, ...(known && { allowed_tool_kinds: known }) },
    sandbox: { network_access: sandbox?.network_access === true },
  };
}

/** True when everything that admits primitives could be read. */
export function isPolicyKnown(check: PackCheck): boolean {
  const policy = check.paths.version.field('tool_policy');
  const sandbox = check.paths.version.field('sandbox');
  const kinds = check.pack.version?.tool_policy?.allowed_tool_kinds;
  if (check.hasHoles(kinds, policy.field('allowed_tool_kinds'))) return false;
  const fields = [policy, sandbox, policy.field('allow_shell'), policy.field('allow_network')];
  return ![...fields, sandbox.field('network_access')].some((field) => check.isUndecodable(field));
}

/** Placeholders in a delegate's `args` and in an echo template are well-formed; in `args` their roots are declared. */
function checkPlaceholders(check: PackCheck, { tool, at, implementationAt }: PlacedTool): void {
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
