import { Bus } from '@agentclash/bus';
import { evidence, type StoredEvidence } from '@agentclash/contracts';
import type { Contract, Field, FieldAttempt } from '@agentclash/run-scoring';
import { Injectable } from '@nestjs/common';
import { EvidenceSource } from '../evidence/evidence.source.js';

@Injectable()
export class FieldSource {
  constructor(
    private readonly bus: Bus,
    private readonly source: EvidenceSource,
  ) {}

  /** The attempts of all agents, in the same order for each of them; undefined while one is not finished. */
  async attemptsAtCase({ workspace_id, run_id, case_key, repetition }: StoredEvidence) {
    const { items } = await this.bus.call(evidence.field, { workspace_id, run_id, case_key, repetition });
    return items.every(({ is_finished }) => is_finished) ? items : undefined;
  }

  /** Reads the evidence of each of them. */
  async read(
    { workspace_id }: StoredEvidence,
    contract: Contract,
    attemptsAtCase: readonly { attempt_id: string }[],
  ): Promise<Field> {
    const ids = attemptsAtCase.map(({ attempt_id }) => attempt_id);
    const read = new Map<string, FieldAttempt>();
    for await (const page of this.source.ofAttempts(workspace_id, ids)) {
      for (const stored of page) {
        const evidence = await this.source.assemble(stored, contract);
        read.set(stored.attempt_id, { stored, id: stored.run_agent_id, evidence });
      }
    }
    return { attempts: ids.flatMap((id) => read.get(id) ?? []), samples: new Map() };
  }
}
