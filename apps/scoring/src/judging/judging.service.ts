import type { AttemptEvidence, JudgeRecord } from '@agentclash/scoring';
import { Injectable } from '@nestjs/common';
import type { Contract, StoredEvidence } from '../scorecards/evidence.source.js';

export interface JudgingAsk {
  stored: StoredEvidence;
  contract: Contract;
  evidence: AttemptEvidence;
}

export interface Judged {
  records: JudgeRecord[];
  fieldHash: string | null;
}

@Injectable()
export class Judging {
  async ask({ contract }: JudgingAsk): Promise<Judged | 'not_now'> {
    const records = contract.spec.llm_judges.map(({ key }) => ({
      judge_key: key,
      samples: [],
      unavailable: 'judges_not_available',
    }));
    return { records, fieldHash: null };
  }
}
