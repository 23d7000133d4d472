import type { PrimitiveName } from '@agentclash/challengepack';
import type { DefinedTool, ToolCatalog } from './catalog.js';

/** Composed tools that may stand between a call and its primitive. */
export const HOPS_MAX = 8;

/**
 * The primitives in which a tool's delegation ends; empty for a mock. Undefined when the chain does not end: a missing
 * delegate, a cycle, or more hops than allowed.
 */
export function endsOf(tool: DefinedTool, catalog: ToolCatalog): ReadonlySet<PrimitiveName> | undefined {
  const reach = reachOf(tool, { catalog, known: new Map() });
  return reach === 'endless' || reach.hops > HOPS_MAX ? undefined : reach.ends;
}

/** How far a tool's delegation goes, and where to. */
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
