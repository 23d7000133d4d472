import type { Edit } from '../edits/edit.js';
import { documentEdits } from './documents.js';
import { lineEdits } from './lines.js';
import { numberEdits } from './numbers.js';
import { wordEdits } from './words.js';

/** `values` has numbers alone: text in a language that is not parsed. */
export type TextKind = 'prose' | 'document' | 'table' | 'values';

export function kindOfFile(path: string): TextKind {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (/^(?:json|ya?ml)$/.test(extension)) return 'document';
  if (/^(?:csv|tsv)$/.test(extension)) return 'table';
  return /^(?:txt|md|markdown|rst|text|out|log|)$/.test(extension) ? 'prose' : 'values';
}

/** All edits of a text that is no program. */
export function textEdits(text: string, kind: TextKind): Edit[] {
  if (kind === 'values') return numberEdits(text);
  if (kind === 'table') return tableEdits(text);
  const isJson = /^\s*[[{]/.test(text);
  const edits = kind === 'document' || isJson ? documentEdits(text) : undefined;
  return edits ?? [...numberEdits(text), ...wordEdits(text), ...lineEdits(text)];
}

/** The first row names the columns. */
function tableEdits(text: string): Edit[] {
  const first = text.indexOf('\n') + 1;
  const edits = [...numberEdits(text), ...wordEdits(text), ...lineEdits(text, true)];
  return edits.filter(({ start }) => start >= first);
}
