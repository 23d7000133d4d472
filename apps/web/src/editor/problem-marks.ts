import type { Problem, QuickFix } from '@agentclash/challengepack';
import { type Action, type Diagnostic, forEachDiagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';
import type { EditorView, KeyBinding } from '@codemirror/view';

/** The offset of a line and a column, which count from 1. */
export function offsetOf(doc: Text, { line, column }: Pick<Problem, 'line' | 'column'>): number {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + column - 1, to);
}

/** Marks to the end of the word: problems have a position but no length. */
export function diagnosticOf(problem: Problem, fix: QuickFix | undefined, doc: Text): Diagnostic {
  const { severity, code, message } = problem;
  const from = offsetOf(doc, problem);
  const line = doc.lineAt(from);
  const length = /^\S+/.exec(line.text.slice(from - line.from))?.[0].length ?? 0;
  const actions = fix ? [actionOf(fix, from)] : [];
  return { from, to: from + length, severity, source: code, message, actions };
}

/** The name of a fix, for its button. */
export function fixName({ insert }: QuickFix): string {
  return `Replace with ${insert}`;
}

function actionOf(fix: QuickFix, marked: number): Action {
  return {
    name: fixName(fix),
    // The mark moves with the text around it.
    apply: (view, from) => applyFix(view, fix, from - marked),
  };
}

/** Applies a fix where its text still is. */
export function applyFix(view: EditorView, { from, to, replaced, insert }: QuickFix, moved = 0): void {
  const change = { from: from + moved, to: to + moved, insert };
  if (view.state.sliceDoc(change.from, change.to) !== replaced) return;
  view.dispatch({
    changes: change,
    selection: { anchor: change.from + insert.length },
    scrollIntoView: true,
    userEvent: 'input.fix',
  });
}

/** Ctrl-. applies the fix of the problem at the cursor, else of the first on its line. */
export const FIX_KEY: KeyBinding = {
  key: 'Mod-.',
  run: (view) => {
    const { head } = view.state.selection.main;
    const line = view.state.doc.lineAt(head);
    const candidates: { action: Action; from: number; to: number }[] = [];
    forEachDiagnostic(view.state, ({ actions = [] }, from, to) => {
      const [action] = actions;
      if (action !== undefined && from <= line.to && to >= line.from) candidates.push({ action, from, to });
    });
    const found = candidates.find(({ from, to }) => from <= head && head <= to) ?? candidates[0];
    found?.action.apply(view, found.from, found.to);
    return found !== undefined;
  },
};
