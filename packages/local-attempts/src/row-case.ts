import { type Case, type CaseText, readStoredCase } from '@agentclash/challengepack';
import type { PackCase } from './local-pack.js';
import type { RowDocuments } from './row-documents.js';

/** A case of a data file, decoded from its document each time it is read: cases would take a hundred times its memory. */
export class RowCase implements PackCase {
  readonly case_key: string;
  readonly challenge_key: string;
  private readonly item_key: string;
  private readonly kind: string;
  private readonly block: number;
  private readonly index: number;

  constructor(
    readonly inputSetKey: string,
    row: CaseText,
    /** Of all rows, to which that of this row is added. */
    private readonly documents: RowDocuments,
  ) {
    this.case_key = row.case_key;
    this.challenge_key = row.challenge_key;
    this.item_key = row.item_key;
    this.kind = row.kind;
    const { block, index } = documents.add(row.document);
    this.block = block;
    this.index = index;
  }

  get case(): Case {
    const { case_key, challenge_key, item_key, kind, block, index } = this;
    const document: unknown = JSON.parse(this.documents.at({ block, index }));
    return readStoredCase({ case_key, challenge_key, item_key, kind, document });
  }
}

/** The members by which a run is planned, without decoding a row; rows have no simulated user. */
export function planningOf(
  each: PackCase,
): Pick<Case, 'case_key' | 'challenge_key'> & Partial<Pick<Case, 'user_simulator'>> {
  return each instanceof RowCase ? each : each.case;
}
