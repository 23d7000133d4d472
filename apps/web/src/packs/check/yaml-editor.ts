import type { Problem } from '@agentclash/challengepack';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const THEME = EditorView.theme({
  '&': {
    height: '100%',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    fontSize: 'var(--size-s)',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface-2)', color: 'var(--text-2)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent-soft) 50%, transparent)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', borderColor: 'var(--border)' },
  '.cm-diagnostic': { fontFamily: 'var(--font)' },
});

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--text-2)', fontStyle: 'italic' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.keyword, tags.atom], color: 'var(--bad)' },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: 'var(--warn)' },
]);

/** A YAML editor that marks problems at their positions. */
export class YamlEditor {
  private readonly view: EditorView;

  /**
   * Lives in a shadow tree: there its styles come as sheets of the document, which the page's policy allows, and not as
   * elements, which it forbids.
   */
  constructor(host: HTMLElement, { text, onChange }: { text: string; onChange: (text: string) => void }) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          history(),
          highlightActiveLine(),
          yaml(),
          syntaxHighlighting(COLOURS),
          lintGutter(),
          EditorView.lineWrapping,
          // Tab moves the focus: a keyboard user must be able to leave the editor.
          keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': 'Challenge pack, YAML' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.state.doc.toString());
          }),
          THEME,
        ],
      }),
    });
  }

  set text(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  mark(problems: readonly Problem[]): void {
    const { doc } = this.view.state;
    const diagnostics = problems.map((problem) => diagnosticOf(problem, doc));
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Puts the cursor where a problem is. */
  goTo({ line, column }: Pick<Problem, 'line' | 'column'>): void {
    const anchor = offsetOf(this.view.state.doc, line, column);
    this.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.view.focus();
  }

  close(): void {
    this.view.destroy();
  }
}

function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + column - 1, to);
}

/** Marks to the end of the word: problems have a position but no length. */
function diagnosticOf({ line, column, severity, code, message }: Problem, doc: Text): Diagnostic {
  const from = offsetOf(doc, line, column);
  const rest = doc.lineAt(from).text.slice(from - doc.lineAt(from).from);
  const length = /^\S+/.exec(rest)?.[0].length ?? 0;
  return { from, to: from + length, severity, source: code, message };
}
