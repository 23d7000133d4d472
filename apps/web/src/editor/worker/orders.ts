import type { PackSummary, Problem, QuickFix } from '@agentclash/challengepack';

/** Work of the editor's worker; exactly one member is present. */
export interface EditorWork {
  check?: PackToCheck;
  complete?: Cursor;
  hover?: Cursor;
}

/** A document to check, with the paths of its available files. */
export interface PackToCheck {
  text: string;
  files: readonly string[];
}

/** A position in a document, counted in UTF-16 units. */
export interface Cursor {
  /** The JSON Schema of the document; absent for a challenge pack. */
  schema?: object;
  text: string;
  offset: number;
}

/** The results of the work with the same name. */
export interface EditorResults {
  check: Checked;
  complete: readonly Suggestion[];
  hover: Documentation | null;
}

/** The result of a check. */
export interface Checked {
  valid: boolean;
  problems: readonly Problem[];
  /** By the index of the problem that each removes. */
  fixes: ReadonlyMap<number, QuickFix>;
  summary: PackSummary;
  /** Paths of the files that it refers to. */
  wanted: readonly string[];
}

/** A key or a value that the schema allows at the cursor. */
export interface Suggestion {
  label: string;
  kind: 'key' | 'value';
  /** Replaces the text between the offsets; fields to fill are written `${1:text}`. */
  template: string;
  from: number;
  to: number;
  detail?: string;
  /** Markdown. */
  documentation?: string;
}

/** The documentation of a key or a value in the schema. */
export interface Documentation {
  /** Markdown. */
  text: string;
  from: number;
  to: number;
}

export type EditorOrder = { id: number } & EditorWork;
export type EditorReply = { id: number } & ({ result: EditorResults[keyof EditorResults] } | { bug: string });
