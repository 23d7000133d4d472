/** The position of judged evidence in the attempt's events. */
export interface EvidencePointer {
  readonly from_sequence: number;
  readonly to_sequence: number;
  /** The key of the post-execution check that captured it. */
  readonly artifact?: string;
  /** For code_execution, where the counts came from: report, printed or exit_code. */
  readonly kind?: string;
}

/** From the first to the last of the given events; null for none. Events and tool calls are in sequence order. */
export function pointTo(
  items: readonly { readonly sequence_number: number }[],
  details: { artifact?: string } = {},
): EvidencePointer | null {
  const [first] = items;
  const last = items.at(-1);
  if (first === undefined || last === undefined) return null;
  return { from_sequence: first.sequence_number, to_sequence: last.sequence_number, ...details };
}
