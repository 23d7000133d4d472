import type { PlannedTools, Policy } from '@agentclash/attempt-plan';
import { isPrimitiveName, type JsonObject, type PrimitiveName } from '@agentclash/challengepack';
import type { AgentTool, ToolLayer } from '@agentclash/domain';
import type { DefinedTool, ToolCatalog } from './catalog.js';
import type { ServerTool } from './server-tool.js';

/** A tool as the agent sees it, and what a call of it runs. */
export interface SurfaceTool {
  name: string;
  description: string;
  parameters: JsonObject;
  layer: Exclude<ToolLayer, 'unknown'>;
  /** A primitive's name, a definition over primitives, or a tool of a server. */
  runs: PrimitiveName | DefinedTool | ServerTool;
}

export interface SurfaceSources {
  policy: Policy;
  catalog: ToolCatalog;
  tools: Pick<PlannedTools, 'allowed' | 'denied'>;
  /** Names taken away in any layer by profile and deployment. */
  deniedNames: readonly string[];
  /** Of every primitive that this engine can run. */
  primitives: Readonly<Partial<Record<PrimitiveName, { description: string; parameters: JsonObject }>>>;
  /**
   * A program reads, writes and runs by itself, and ends by ending: of the primitives it sees those that the pack
   * lists by name, and never `submit`.
   */
  isForProgram?: boolean;
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
  const all = [...shown, ...(sources.isForProgram ? [] : primitiveTool('submit', sources))];
  return new Map(all.sort((a, b) => (a.name < b.name ? -1 : 1)).map((tool) => [tool.name, tool]));
}

function shownPrimitives({ policy, tools, isForProgram }: SurfaceSources): PrimitiveName[] {
  const allowed = tools.allowed.filter(isPrimitiveName);
  const isUnrestricted = allowed.length === 0 && !isForProgram;
  return [...policy.primitives].filter(
    (name) => (isUnrestricted || allowed.includes(name)) && !tools.denied.includes(name),
  );
}

/** True when every end of a tool's chain may run. A tool over `submit` never may. */
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

/** The most composed tools between a call and its primitive. */
export const HOPS_MAX = 8;

/**
 * The primitives in which a tool's delegation ends; empty for a mock. Undefined when the chain does not end: a missing
 * delegate, a cycle, or more hops than allowed.
 */
export function endsOf(tool: DefinedTool, catalog: ToolCatalog): ReadonlySet<PrimitiveName> | undefined {
  const reach = reachOf(tool, { catalog, known: new Map() });
  return reach === 'endless' || reach.hops > HOPS_MAX ? undefined : reach.ends;
}

/** The depth of a tool's delegation, and its primitives. */
type Reach = { hops: number; ends: ReadonlySet<PrimitiveName> } | 'endless';

interface Walk {
  catalog: ToolCatalog;
  /** Each tool is walked once, however many steps lead to it; a tool being walked counts as endless. */
  known: Map<DefinedTool, Reach>;
}

function reachOf(tool: DefinedTool, walk: Walk): Reach {
  const known = walk.known.get(tool);
  if (known) return known;
  walk.known.set(tool, 'endless');
  const reach =
    tool.body.kind === 'mock' ? { hops: 0, ends: new Set<PrimitiveName>() } : reachThrough(tool, walk);
  walk.known.set(tool, reach);
  return reach;
}

function reachThrough(tool: DefinedTool, walk: Walk): Reach {
  const ends = new Set<PrimitiveName>();
  let hops = 0;
  for (const name of delegatesOf(tool)) {
    const delegate = walk.catalog.delegate(name, tool.layer);
    if (delegate === undefined) return 'endless';
    if (typeof delegate === 'string') {
      ends.add(delegate);
    } else {
      const reach = reachOf(delegate, walk);
      if (reach === 'endless') return 'endless';
      hops = Math.max(hops, reach.hops);
      for (const end of reach.ends) ends.add(end);
    }
  }
  return { hops: hops + 1, ends };
}

function delegatesOf({ body }: DefinedTool): string[] {
  if (body.kind === 'mock') return [];
  return body.kind === 'delegate' ? [body.to] : body.steps.map((step) => step.to);
}
