import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { CustomTool } from '../pack/model.js';
import { nearestName } from '../text/nearest-name.js';
import { CHAIN_TOOLS_MAX, Delegation, type Reach } from '../tools/delegation.js';
import { PRIMITIVE_NAMES } from '../tools/primitives.js';
import { eachEntry, type PackCheck } from './pack-check.js';

export interface PlacedTool {
  tool: Draft<CustomTool>;
  index: number;
  at: FieldPath;
  implementationAt: FieldPath;
}

/** A chain that ends and is not too deep. */
export type UsableReach = Extract<Reach, { kind: 'ends' }>;

/** Thousands of tools that each name an unknown one must not take minutes to help with. */
const COMPARISONS_MAX = 500_000;

/** The readable custom tools of a draft and how they delegate. */
export class ToolSet {
  readonly delegation: Delegation;
  /** True when an unreadable tool or name might be what others mean. */
  readonly hasHoles: boolean;
  #comparisons = 0;
  readonly #placed: PlacedTool[] = [];
  readonly #byIndex = new Map<number, PlacedTool>();

  constructor(check: PackCheck) {
    const custom = check.pack.tools?.custom;
    const at = check.paths.tools.field('custom');
    this.delegation = new Delegation((custom ?? []).map((tool) => tool && delegating(tool)));
    for (const [tool, location, index] of eachEntry(custom, at)) {
      const placed = { tool, index, at: location, implementationAt: location.field('implementation') };
      this.#placed.push(placed);
      this.#byIndex.set(index, placed);
    }
    this.hasHoles =
      check.hasHoles(custom, at) ||
      this.#placed.some((placed) => check.isUndecodable(placed.at.field('name')));
  }

  /** The nearest name of a primitive or tool. */
  nearest(name: string): string | undefined {
    const names = [...PRIMITIVE_NAMES, ...this.delegation.names()];
    this.#comparisons += names.length;
    return this.#comparisons > COMPARISONS_MAX ? undefined : nearestName(name, names);
  }

  placed(): readonly PlacedTool[] {
    return this.#placed;
  }

  /** Where a tool's chain ends, if it ends within the allowed depth. */
  usableReach({ index }: PlacedTool): UsableReach | undefined {
    const reach = this.delegation.reachOf(index);
    return reach.kind === 'ends' && reach.hops <= CHAIN_TOOLS_MAX ? reach : undefined;
  }

  /** The tools of a chain that ends, the tool itself first. */
  chainOf({ index }: PlacedTool): PlacedTool[] {
    return this.delegation.chainOf(index).flatMap((each) => this.#byIndex.get(each) ?? []);
  }
}

function delegating({ name, implementation }: Draft<CustomTool>) {
  return { name, delegate: implementation?.primitive, isMock: implementation?.type === 'mock' };
}
