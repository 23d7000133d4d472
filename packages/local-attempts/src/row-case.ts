import { type Case, type CaseText, readStoredCase } from '@agentclash/challengepack';
import type { PackCase } from './local-pack.js';

/** A case of a data file: its text takes a fraction of the memory of the case, which is decoded each time it is read. */
export class RowCase implements PackCase {
  constructor(
    readonly inputSetKey: string,
    readonly row: CaseText,
  ) {}

  get case(): Case {
    return readStoredCase({ ...this.row, document: JSON.parse(this.row.document) });
  }
}

/** The members by which a run is planned, without decoding a row; rows have no simulated user. */
export function planningOf(
  each: PackCase,
): Pick<Case, 'case_key' | 'challenge_key'> & Partial<Pick<Case, 'user_simulator'>> {
  return each instanceof RowCase ? each.row : each.case;
}
