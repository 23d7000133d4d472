import { isPrimitiveName, type PrimitiveName } from './primitives.js';

/** The parts of a custom tool that decide where its chain leads. */
export interface DelegatingTool {
  name: string | undefined;
  /** The primitive or custom tool it hands on to; undefined for a mock, or when that is not known. */
  delegate: string | undefined;
  isMock: boolean;
}

/**
 * Where the chain of a tool leads. `hops` counts the delegating tools in it, the tool itself included. A tool that
 * merely leads into a cycle, or to a delegate that does not exist, is `endless`.
 */
export type Reach =
  | { kind: 'ends'; hops: number; end: PrimitiveName | 'mock' }
  | { kind: 'self' | 'cycle' | 'endless' };

/** Delegating tools allowed in one chain. */
export const CHAIN_TOOLS_MAX = 8;

/** The delegation among the custom tools of a pack; of tools with the same name the first counts. */
export class Delegation {
  readonly #indexByName = new Map<string, number>();
  readonly #reaches: (Reach | undefined)[] = [];

  constructor(private readonly tools: readonly (DelegatingTool | undefined)[]) {
    for (const [index, tool] of tools.entries()) {
      if (tool?.name !== undefined && !this.#indexByName.has(tool.name))
        this.#indexByName.set(tool.name, index);
    }
    for (const index of tools.keys()) this.#walk(index);
  }

  /** True when a name means a primitive or one of these tools. */
  knows(name: string): boolean {
    return isPrimitiveName(name) || this.#indexByName.has(name);
  }

  names(): Iterable<string> {
    return this.#indexByName.keys();
  }

  reachOf(index: number): Reach {
    return this.#reaches[index] ?? ENDLESS;
  }

  /** The tools of a chain that ends, in order, the mock at its end included. */
  chainOf(index: number): number[] {
    const chain: number[] = [];
    for (let at: number | undefined = index; at !== undefined; at = this.#next(at)) chain.push(at);
    return chain;
  }

  /** Follows one chain to something known and settles every tool passed on the way, so that all tools cost one walk. */
  #walk(start: number): void {
    const path: number[] = [];
    const onPath = new Map<number, number>();
    let at: number | undefined = start;
    while (at !== undefined && !this.#reaches[at] && !onPath.has(at)) {
      onPath.set(at, path.length);
      path.push(at);
      at = this.#next(at);
    }
    const loop = at === undefined ? undefined : onPath.get(at);
    if (loop !== undefined) this.#settleLoop(path.splice(loop));
    for (const index of path.reverse()) this.#reaches[index] = this.#settle(index);
  }

  #settleLoop(loop: readonly number[]): void {
    for (const index of loop) this.#reaches[index] = { kind: loop.length === 1 ? 'self' : 'cycle' };
  }

  #settle(index: number): Reach {
    const tool = this.tools[index];
    if (tool?.isMock) return { kind: 'ends', hops: 0, end: 'mock' };
    const delegate = tool?.delegate;
    if (delegate === undefined) return ENDLESS;
    if (isPrimitiveName(delegate)) return { kind: 'ends', hops: 1, end: delegate };
    const next = this.#next(index);
    const reach = next === undefined ? ENDLESS : this.reachOf(next);
    return reach.kind === 'ends' ? { ...reach, hops: reach.hops + 1 } : ENDLESS;
  }

  #next(index: number): number | undefined {
    const tool = this.tools[index];
    if (!tool || tool.isMock || tool.delegate === undefined || isPrimitiveName(tool.delegate))
      return undefined;
    return this.#indexByName.get(tool.delegate);
  }
}

const ENDLESS: Reach = { kind: 'endless' };
