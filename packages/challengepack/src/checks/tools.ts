import { parameterSchemaProblem } from '../tools/parameters.js';
import { isPrimitiveName } from '../tools/primitives.js';
import { checkDelegation } from './delegation.js';
import type { PackCheck } from './pack-check.js';
import { checkPlaceholders } from './placeholders.js';
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
