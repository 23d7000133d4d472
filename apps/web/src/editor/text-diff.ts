import { getChunks, getOriginalDoc, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Text } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { THEME } from './theme.js';

const COLOURS = EditorView.theme({
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--good-soft)' },
  '.cm-deletedChunk': { backgroundColor: 'var(--bad-soft)' },
  // Words are marked by a line below them, too: colours alone do not reach everyone.
  '&.cm-merge-b .cm-changedText': {
    background: 'color-mix(in srgb, var(--good) 20%, transparent)',
    textDecoration: 'underline',
  },
  '&.cm-merge-b .cm-deletedText, & .cm-deletedChunk .cm-deletedText': {
    background: 'color-mix(in srgb, var(--bad) 20%, transparent)',
    textDecoration: 'line-through',
  },
  '.cm-collapsedLines': {
    background: 'var(--surface-2)',
    color: 'var(--text-2)',
    fontFamily: 'var(--font)',
  },
});

/** The time and the effort after which a difference is reported less finely. */
const DIFF = { scanLimit: 1_000, timeout: 1_000 };

export interface TextDiffOptions {
  before: string;
  after: string;
  /** Accessible name. */
  label: string;
  /** Shows equal lines that are far from every change. */
  isWhole: boolean;
}

/** Lines that a change removed and added. */
export interface DiffFigures {
  removed: number;
  added: number;
}

/** The lines of a text with those that were removed from an earlier one, and changed words. Read only. */
export class TextDiff {
  private readonly view: EditorView;

  /** Lives in a shadow tree, as `YamlEditor` does. */
  constructor(host: HTMLElement, { before, after, label, isWhole }: TextDiffOptions) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: after,
        extensions: [
          lineNumbers(),
          EditorView.lineWrapping,
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          // Without editing nothing else takes the focus, and with it the keys that scroll.
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            syntaxHighlightDeletions: false,
            diffConfig: DIFF,
            ...(!isWhole && { collapseUnchanged: { margin: 3, minSize: 6 } }),
          }),
          THEME,
          COLOURS,
        ],
      }),
    });
  }

  get figures(): DiffFigures {
    const { state } = this.view;
    const original = getOriginalDoc(state);
    const figures = { removed: 0, added: 0 };
    for (const { fromA, toA, endA, fromB, toB, endB } of getChunks(state)?.chunks ?? []) {
      if (toA > fromA) figures.removed += linesBetween(original, fromA, endA);
      if (toB > fromB) figures.added += linesBetween(state.doc, fromB, endB);
    }
    return figures;
  }

  close(): void {
    this.view.destroy();
  }
}

function linesBetween(doc: Text, from: number, to: number): number {
  return doc.lineAt(to).number - doc.lineAt(from).number + 1;
}
