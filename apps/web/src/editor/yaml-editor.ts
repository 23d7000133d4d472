import type { Problem, QuickFix } from '@agentclash/challengepack';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { assistance, type LanguageSource } from './assistance.js';
import { applyFix, diagnosticOf, FIX_KEY, offsetOf } from './problem-marks.js';
import { LOOK } from './theme.js';
import { yamlSyntax } from './yaml-syntax.js';

export interface YamlEditorOptions {
  text: string;
  /** Accessible name. */
  label: string;
  onChange: (text: string) => void;
  isReadOnly?: boolean;
  language?: LanguageSource;
}

/** A YAML editor that marks problems at their positions, and completes by a schema. */
export class YamlEditor {
  private readonly view: EditorView;

  /**
   * Lives in a shadow tree: there its styles come as sheets of the document, which the page's policy allows, and not as
   * elements, which it forbids.
   */
  constructor(host: HTMLElement, { text, label, onChange, isReadOnly = false, language }: YamlEditorOptions) {
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
          yamlSyntax(),
          lintGutter(),
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          // Before the default keys, which use Ctrl-I for the syntax around the cursor.
          language ? assistance(language) : [],
          // Tab moves the focus: a keyboard user must be able to leave the editor.
          keymap.of([FIX_KEY, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.state.doc.toString());
          }),
          LOOK,
        ],
      }),
    });
  }

  set text(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Marks problems, with their fixes by index. */
  mark(problems: readonly Problem[], fixes: ReadonlyMap<number, QuickFix> = new Map()): void {
    const { doc } = this.view.state;
    const diagnostics = problems.map((problem, index) => diagnosticOf(problem, fixes.get(index), doc));
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  fix(fix: QuickFix): void {
    applyFix(this.view, fix);
    this.view.focus();
  }

  /** Puts the cursor where a problem is. */
  goTo(problem: Pick<Problem, 'line' | 'column'>): void {
    const anchor = offsetOf(this.view.state.doc, problem);
    this.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.view.focus();
  }

  close(): void {
    this.view.destroy();
  }
}
