import {
  artifactText,
  expectationText,
  inputText,
  jsonText,
  parseReference,
  payloadText,
  type Reference,
  type ReferenceKind,
} from '@agentclash/challengepack';
import { endsOf, type PayloadOf, textIn } from '@agentclash/domain';
import { conversationTurns, type Turn, transcriptText, turnsFromMismatch } from './conversation.js';
import { type EvidencePointer, pointTo } from './pointer.js';
import type { AttemptEvidence, EvidenceEvent } from './types.js';
import { findCapture, findListing } from './verification.js';

/**
 * The result of a reference: a text; nothing, by the agent's or the pack's doing; or nothing because the platform did
 * not collect it. `pointer` shows where in the events, null for what the pack holds.
 */
export type Resolution =
  | {
      readonly state: 'resolved';
      readonly text: string;
      readonly pointer: EvidencePointer | null;
      /** True when the text is only the beginning of the captured file. */
      readonly isTruncated?: boolean;
      /** True when `transcript.from_mismatch` is empty because nothing went wrong. */
      readonly isVacuous?: boolean;
    }
  | {
      readonly state: 'missing';
      readonly side: 'agent' | 'pack';
      readonly pointer: EvidencePointer | null;
    }
  | { readonly state: 'not_collected' };

type Of<K extends ReferenceKind> = Extract<Reference, { kind: K }>;

const MISSING_FROM_PACK: Resolution = { state: 'missing', side: 'pack', pointer: null };

/** Finds the text that a reference names. A reference of no known form counts as missing from the pack. */
export function resolveReference(reference: string, evidence: AttemptEvidence): Resolution {
  const parsed = parseReference(reference);
  return parsed === null ? MISSING_FROM_PACK : resolve(parsed, evidence);
}

function resolve<K extends ReferenceKind>(reference: Of<K>, evidence: AttemptEvidence): Resolution {
  const resolver: (reference: Of<K>, evidence: AttemptEvidence) => Resolution =
    RESOLVERS[reference.kind as K];
  return resolver(reference, evidence);
}

const RESOLVERS: {
  readonly [K in ReferenceKind]: (reference: Of<K>, evidence: AttemptEvidence) => Resolution;
} = {
  final_output: resolveFinalOutput,
  file: resolveFile,
  transcript: resolveTranscript,
  turn_expectations: (_reference, { events, imported }) => {
    const turns = conversationTurns(events);
    if (turns.length === 0 && imported !== undefined) return { state: 'not_collected' };
    return fromTurns(turns, turns.length === 0 ? undefined : expectationRows(turns));
  },
  case_payload: ({ path }, evidence) => fromPack(payloadText(evidence.case, path)),
  case_input: ({ key, path }, evidence) => fromPack(inputText(evidence.case, key, path)),
  case_expectation: ({ key, path }, evidence) => fromPack(expectationText(evidence.case, key, path)),
  artifact: ({ key, field }, evidence) => fromPack(artifactText(evidence.case, key, field)),
  literal: ({ text }) => fromPack(text),
};

/** A source of imported attempts that has no output may have left it out, unless the attempt did not complete. */
function resolveFinalOutput(_reference: Of<'final_output'>, evidence: AttemptEvidence): Resolution {
  const { events, imported, attempt } = evidence;
  const text = finalOutput(events);
  const isUnknown = text === undefined && imported !== undefined && attempt.outcome === 'completed';
  return isUnknown ? { state: 'not_collected' } : fromAgent(text, finalOutputPointer(events));
}

function resolveFile({ check }: Of<'file'>, { events }: AttemptEvidence): Resolution {
  const capture = findCapture(events, check);
  if (capture !== undefined) {
    const pointer = pointTo([capture], { artifact: check });
    if (!capture.exists) return { state: 'missing', side: 'agent', pointer };
    return { state: 'resolved', text: capture.content, pointer, isTruncated: capture.isTruncated };
  }
  const listing = findListing(events, check);
  if (listing === undefined) return { state: 'not_collected' };
  return fromAgent(
    listing.exists ? jsonText(listing.entries) : undefined,
    pointTo([listing], { artifact: check }),
  );
}

function resolveTranscript(reference: Of<'transcript'>, { events, imported }: AttemptEvidence): Resolution {
  const turns = conversationTurns(events);
  if (turns.length === 0 && imported !== undefined) return { state: 'not_collected' };
  if (turns.length === 0) return fromTurns(turns, undefined);
  const read = partOf(reference, turns);
  if (read.length === 0)
    return { state: 'resolved', text: '', pointer: pointToTurns(turns), isVacuous: true };
  return fromTurns(read, transcriptText(read));
}

function partOf(reference: Of<'transcript'>, turns: readonly Turn[]): readonly Turn[] {
  if (reference.part === 'last_n') return turns.slice(-reference.count);
  return reference.part === 'full' ? turns : turnsFromMismatch(turns);
}

function expectationRows(turns: readonly Turn[]): string {
  const rows = turns
    .filter(({ mismatch }) => mismatch !== undefined)
    .map(({ index, phaseId, mismatch }) => ({ turn_index: index, phase_id: phaseId, mismatch }));
  return jsonText(rows);
}

function fromTurns(turns: readonly Turn[], text: string | undefined): Resolution {
  return fromAgent(text, pointToTurns(turns));
}

function pointToTurns(turns: readonly Turn[]): EvidencePointer | null {
  const events = turns.flatMap((turn) => turn.events);
  return pointTo(events.sort((a, b) => a.sequence_number - b.sequence_number));
}

function fromAgent(text: string | undefined, pointer: EvidencePointer | null): Resolution {
  if (text === undefined) return { state: 'missing', side: 'agent', pointer };
  return { state: 'resolved', text, pointer };
}

function fromPack(text: string | undefined): Resolution {
  return text === undefined ? MISSING_FROM_PACK : { state: 'resolved', text, pointer: null };
}

/** The events that show what the agent ended with, best first: its output, else its last model call, else its end. */
const OUTPUT_EVENT_TYPES: readonly ReadonlySet<string>[] = [
  new Set(['system.output.finalized']),
  new Set(['model.call.completed']),
  new Set(endsOf('system.run')),
];

/** The agent's last final output; undefined when it gave none. */
export function finalOutput(events: readonly EvidenceEvent[]): string | undefined {
  const event = events.findLast(({ event_type }) => event_type === 'system.output.finalized');
  const payload: PayloadOf<'system.output.finalized'> = event?.payload ?? {};
  return textIn(payload, 'final_output');
}

export function finalOutputPointer(events: readonly EvidenceEvent[]): EvidencePointer | null {
  for (const types of OUTPUT_EVENT_TYPES) {
    const event = events.findLast(({ event_type }) => types.has(event_type));
    if (event !== undefined) return pointTo([event]);
  }
  return null;
}
