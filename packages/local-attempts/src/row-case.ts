import { type Case, type CaseText, readStoredCase } from '@agentclash/challengepack';
import type { PackCase } from './local-pack.js';

/** A case of a data file: its text takes a fraction of the memory of the case, which is decoded each time it is read. */
export class RowCase implements PackCase {
  readonly case_key: string;
  readonly challenge_key: string;
  private readonly item_key: string;
  private readonly kind: string;
  private readonly document: string;

  constructor(
    readonly inputSetKey: string,
    row: CaseText,
  ) {
    this.case_key = row.case_key;
    this.challenge_key = row.challenge_key;
    this.item_key = row.item_key;
    this.kind = row.kind;
    this.document = row.document;
  }

  get case(): Case {
    const { case_key, challenge_key, item_key, kind } = this;
    return readStoredCase({ case_key, challenge_key, item_key, kind, document: JSON.parse(this.document) });
  }
}

/** The members by which a run is planned, without decoding a row; rows have no simulated user. */
export function planningOf(
  each: PackCase,
): Pick<Case, 'case_key' | 'challenge_key'> & Partial<Pick<Case, 'user_simulator'>> {
  return each instanceof RowCase ? each : each.case;
}
