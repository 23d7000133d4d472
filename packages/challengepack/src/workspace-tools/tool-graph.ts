import { isPrimitiveName, type PrimitiveName } from '../tools/primitives.js';
import { delegations, type WorkspaceToolDraft } from './workspace-tool.js';

/** Where the chains of a tool lead: `hops` counts the tools of the longest, the tool itself included. */
export type ToolReach =
  | { kind: 'ends'; hops: number; ends: ReadonlySet<PrimitiveName | 'mock'> }
  /** Something it leads to is not there, or leads back to itself. */
  | { kind: 'endless' };

const ENDLESS: ToolReach = { kind: 'endless' };

/** How the tools of a workspace delegate to each other. Walks no chain twice, and none that is as long as the stack. */
export class ToolGraph {
  readonly #tools: ReadonlyMap<string, WorkspaceToolDraft>;
  readonly #reaches = new Map<string, ToolReach>();

  constructor(tools: readonly WorkspaceToolDraft[]) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  find(name: string): WorkspaceToolDraft | undefined {
    return this.#tools.get(name);
  }

  names(): string[] {
    return [...this.#tools.keys()];
  }

  reachOf(name: string): ToolReach {
    if (isPrimitiveName(name)) return { kind: 'ends', hops: 0, ends: new Set([name]) };
    const known = this.#reaches.get(name);
    if (known) return known;
    const tool = this.#tools.get(name);
    if (!tool) return ENDLESS;
    // A tool that is reached again while it is being walked is part of a cycle.
    this.#reaches.set(name, ENDLESS);
    const reach = this.#walk(tool);
    this.#reaches.set(name, reach);
    return reach;
  }

  /** The tools that one leads to, itself first. */
  chainOf(name: string): WorkspaceToolDraft[] {
    const names = new Set([name]);
    for (const each of names) {
      const tool = this.#tools.get(each);
      for (const { to } of tool ? delegations(tool) : []) names.add(to);
    }
    return [...names].flatMap((each) => this.#tools.get(each) ?? []);
  }

  #walk(tool: WorkspaceToolDraft): ToolReach {
    const handed = delegations(tool);
    if (handed.length === 0) {
      const isMock = tool.definition.implementation?.mode === 'mock';
      return isMock ? { kind: 'ends', hops: 0, ends: new Set(['mock']) } : ENDLESS;
    }
    const ends = new Set<PrimitiveName | 'mock'>();
    let hops = 0;
    for (const { to } of handed) {
      const reach = this.reachOf(to);
      if (reach.kind === 'endless') return ENDLESS;
      hops = Math.max(hops, reach.hops);
      for (const end of reach.ends) ends.add(end);
    }
    return { kind: 'ends', hops: hops + 1, ends };
  }
}
