import { createHash } from 'node:crypto';
import { type AttemptPlan, effectivePolicy, type Policy } from '@agentclash/attempt-plan';
import type { EventPayloads, TaskDocument } from '@agentclash/domain';
import { PRIMITIVE_TABLE } from '../primitives/primitives.js';
import { stagedListing } from '../staging/stage.js';
import { buildTask } from '../task/task-document.js';
import { ToolCatalog, ToolCatalogError } from '../tools/catalog.js';
import { agentTools, buildSurface, type Surface, type SurfaceTool } from '../tools/surface.js';
import type { AttemptPorts } from './ports.js';
import { egressPortFor } from './sandbox-egress.js';
import { imageName } from './sandbox-images.js';

/** Everything that is derived from a plan before the attempt starts. */
export interface Assembly {
  policy: Policy;
  catalog: ToolCatalog;
  surface: Surface;
  task: TaskDocument;
}

/** Throws ToolCatalogError. */
export function assemble(plan: AttemptPlan): Assembly {
  const { tools, narrowing, tool_policy, sandbox, agent } = plan;
  const policy = effectivePolicy({ tool_policy, sandbox, narrowing });
  const catalog = new ToolCatalog(tools);
  const surface = hasTools(plan)
    ? buildSurface({
        policy,
        catalog,
        tools,
        deniedNames: narrowing.denied_tools,
        primitives: PRIMITIVE_TABLE,
        isForProgram: agent.kind === 'program',
      })
    : new Map();
  const task = buildTask({
    challenge: plan.challenge,
    case: plan.case,
    files: plan.mode === 'prompt_eval' ? [] : stagedListing(plan.files, plan.filesystem.working_directory),
    tools: agentTools(surface),
    limits: plan.limits,
    ...(agent.kind === 'model' &&
      agent.config.output_schema && { output_schema: agent.config.output_schema }),
  });
  return { policy, catalog, surface, task };
}

/** With the tools of servers, which are known only once the sandbox is there. Throws ToolCatalogError. */
export function withServerTools(
  assembly: Assembly,
  listed: readonly SurfaceTool[],
  { denied_tools }: Pick<AttemptPlan['narrowing'], 'denied_tools'>,
): Assembly {
  const shown = listed.filter(({ name }) => !denied_tools.includes(name));
  const twice = shown.find(({ name }) => assembly.surface.has(name));
  if (twice) throw new ToolCatalogError('not_unique', twice.name);
  const all = [...assembly.surface.values(), ...shown].sort((a, b) => (a.name < b.name ? -1 : 1));
  const surface = new Map(all.map((tool) => [tool.name, tool]));
  return { ...assembly, surface, task: { ...assembly.task, tools: agentTools(surface) } };
}

/** The first event of a delivery's agent phase. */
export function runStarted(
  plan: AttemptPlan,
  { policy, surface, task }: Assembly,
  { name: provider, capabilities }: AttemptPorts['sandboxes'],
): EventPayloads['system.run.started'] {
  const { agent, mode, limits, sandbox } = plan;
  const egress = egressPortFor(policy, agent, capabilities) ? 'proxy' : 'none';
  const image = sandbox.image ? imageName(sandbox.image) : (sandbox.sandbox_template_id ?? null);
  return {
    kind: agent.kind,
    mode,
    ...(agent.kind === 'model' && { provider_key: agent.config.provider_key, model: agent.config.model }),
    limits,
    policy: { kinds: [...policy.kinds].sort(), primitives: [...policy.primitives].sort() },
    tools: [...surface.values()].map(({ name, layer }) => ({ name, layer })),
    sandbox: mode === 'prompt_eval' ? null : { provider, image, egress },
    task,
    view_sha256: createHash('sha256').update(JSON.stringify(task)).digest('hex'),
  };
}

function hasTools({ mode, agent }: AttemptPlan): boolean {
  return mode !== 'prompt_eval' && agent.kind !== 'endpoint';
}
