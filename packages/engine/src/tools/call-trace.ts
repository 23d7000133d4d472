import { type JsonObject, PRIMITIVES, type PrimitiveName } from '@agentclash/challengepack';
import type { ResolutionHop, ToolLayer } from '@agentclash/domain';

/** The resolution of one call, recorded step by step, so that a failure shows the steps so far. */
export class CallTrace {
  readonly chain: ResolutionHop[] = [];
  /** The primitive that ran last, with its arguments; secrets in them are masked. */
  last: { primitive: PrimitiveName; args: JsonObject } | undefined;
  private isMock = false;

  hop(name: string, layer: ToolLayer): void {
    this.chain.push({ name, layer });
  }

  ran(primitive: PrimitiveName, args: JsonObject): void {
    this.last = { primitive, args };
  }

  resolvedByMock(): void {
    this.isMock = true;
  }

  get resolvedTool(): string | null {
    return this.last?.primitive ?? (this.isMock ? (this.chain.at(-1)?.name ?? null) : null);
  }

  get kind(): string | null {
    if (this.last) return PRIMITIVES[this.last.primitive];
    return this.isMock ? 'mock' : null;
  }
}
