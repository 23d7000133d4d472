import type { PlannedTools, Policy } from '@agentclash/attempt-plan';
import { isPrimitiveName, type JsonObject, type PrimitiveName } from '@agentclash/challengepack';
import type { AgentTool, ToolLayer } from '@agentclash/domain';
import type { DefinedTool, ToolCatalog } from './catalog.js';
import { endsOf } from './chain.js';

/** A tool as the agent sees it, and what a call of it runs. */
export interface SurfaceTool {
  name: string;
  description: string;
  parameters: JsonObject;
  layer: Exclude<ToolLayer, 'unknown'>;
  /** A primitive's name, or a definition over primitives. */
  runs: PrimitiveName | DefinedTool;
}

export interface SurfaceSources {
  policy: Policy;
  catalog: ToolCatalog;
  tools: Pick<PlannedTools, 'allowed' | 'denied'>;
  /** Names taken away in any layer by profile and deployment. */
  deniedNames: readonly string[];
  /** Of every primitive that this engine can run. */
  primitives: Readonly<Partial<Record<PrimitiveName, { description: string; parameters: JsonObject }>>>;
}

/** The tools an agent sees, sorted by name and frozen for the attempt. */
export type Surface = ReadonlyMap<string, SurfaceTool>;

export function buildSurface(sources: SurfaceSources): Surface {
  const { catalog, deniedNames } = sources;
  const shown = [
    ...shownPrimitives(sources).flatMap((name) => primitiveTool(name, sources)),
    ...catalog
      .offered()
      .filter((tool) => mayRun(tool, sources))
      .map(definedTool),
  ].filter((tool) => !deniedNames.includes(tool.name));
  const all = [...shown, ...primitiveTool('submit', sources)];
  return new Map(all.sort((a, b) => (a.name < b.name ? -1 : 1)).map((tool) => [tool.name, tool]));
}

function shownPrimitives({ policy, tools }: SurfaceSources): PrimitiveName[] {
  const allowed = tools.allowed.filter(isPrimitiveName);
  return [...policy.primitives].filter(
    (name) => (allowed.length === 0 || allowed.includes(name)) && !tools.denied.includes(name),
  );
}

/** Whether every end of a tool's chain may run. A tool over `submit` never may. */
function mayRun(tool: DefinedTool, { policy, catalog, primitives }: SurfaceSources): boolean {
  const ends = endsOf(tool, catalog);
  return ends !== undefined && [...ends].every((name) => policy.primitives.has(name) && name in primitives);
}

function primitiveTool(name: PrimitiveName, { primitives }: SurfaceSources): SurfaceTool[] {
  const known = primitives[name];
  return known
    ? [{ name, description: known.description, parameters: known.parameters, layer: 'primitive', runs: name }]
    : [];
}

function definedTool(tool: DefinedTool): SurfaceTool {
  const { name, description, parameters, layer } = tool;
  return { name, description, parameters, layer, runs: tool };
}

export function agentTools(surface: Surface): AgentTool[] {
  return [...surface.values()].map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }));
}
