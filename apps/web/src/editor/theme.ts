import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The sizes, surfaces and fonts of editors. */
export const THEME = EditorView.theme({
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
  '.cm-tooltip': {
    maxWidth: 'min(36rem, 90vw)',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    borderColor: 'var(--border)',
  },
  '.cm-diagnostic': { fontFamily: 'var(--font)' },
  '.cm-diagnosticAction': { backgroundColor: 'var(--accent)', color: 'var(--accent-text)' },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--accent-text)',
  },
  '.cm-completionDetail': { color: 'inherit' },
  '.cm-documentation': {
    maxWidth: '32rem',
    maxHeight: '20rem',
    overflow: 'auto',
    padding: 'var(--gap-2)',
    fontFamily: 'var(--font)',
    fontSize: 'var(--size-s)',
  },
  '.cm-documentation p, .cm-documentation ul, .cm-documentation pre': { margin: '0 0 var(--gap-1)' },
  '.cm-documentation ul': { paddingLeft: 'var(--gap-4)' },
  '.cm-documentation code, .cm-documentation pre': { fontFamily: 'var(--mono)' },
});

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--text-2)', fontStyle: 'italic' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.keyword, tags.atom], color: 'var(--bad)' },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: 'var(--warn)' },
]);

/** The same with the colours of YAML. */
export const LOOK: Extension = [THEME, syntaxHighlighting(COLOURS)];
