import type { HistoryEvent } from '@agentclash/api';
import { numberIn, referencedSha256, textOf } from '@agentclash/domain';

/** A file that an attempt left, as it was captured for its grading. */
export interface CapturedFile {
  /** The event that has it. */
  event: number;
  path: string;
  /** Of the file in the workspace; null where it is not known. */
  bytes: number | null;
  content: FileContent;
}

type FileContent =
  /** `isBeginning`: only the beginning was kept. */
  | { is: 'text'; text: string; isBeginning: boolean }
  /** Too large for a list of events: the payload of its event has it. */
  | { is: 'stored' }
  | { is: 'binary' | 'absent' };

/** Characters that distinguish text from other data. */
const SAMPLE_LENGTH = 8_192;
/** Texts have hardly any replacement characters: those are recorded for bytes that are not UTF-8. */
const REPLACED_SHARE_MAX = 0.05;

/** The file that an event captured. */
export function capturedFile({
  payload,
  sequence_number,
}: Pick<HistoryEvent, 'payload' | 'sequence_number'>): CapturedFile {
  if (referencedSha256(payload) !== undefined) {
    return {
      event: sequence_number,
      path: `File of event ${sequence_number}`,
      bytes: null,
      content: { is: 'stored' },
    };
  }
  return {
    event: sequence_number,
    path: textOf(payload.path),
    bytes: numberIn(payload, 'bytes') ?? null,
    content: contentOf(payload),
  };
}

function contentOf({ exists, content, truncated }: HistoryEvent['payload']): FileContent {
  if (exists === false) return { is: 'absent' };
  if (typeof content !== 'string' || isBinary(content.slice(0, SAMPLE_LENGTH))) return { is: 'binary' };
  return { is: 'text', text: content, isBeginning: truncated === true };
}

function isBinary(sample: string): boolean {
  const replaced = sample.split('\uFFFD').length - 1;
  return sample.includes('\0') || replaced > Math.max(1, REPLACED_SHARE_MAX * sample.length);
}

/** The name of a file without its folders. */
export function nameOf(path: string): string {
  return path.split('/').at(-1) || 'file';
}
