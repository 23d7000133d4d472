import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippet,
} from '@codemirror/autocomplete';
import { type Extension, StateEffect, StateField, type Text } from '@codemirror/state';
import { type EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from '@codemirror/view';
import { documentationElement } from './documentation.js';
import type { Documentation, Suggestion } from './worker/orders.js';

/** Suggestions and documentation at an offset of a text. */
export interface LanguageSource {
  complete(text: string, offset: number): Promise<readonly Suggestion[]>;
  hover(text: string, offset: number): Promise<Documentation | null>;
}

/** Completion while typing and by Ctrl-Space; documentation of what the pointer is over, and by Ctrl-I at the cursor. */
export function assistance(source: LanguageSource): Extension {
  const tooltipAt = async (view: EditorView, offset: number) => {
    const found = await source.hover(view.state.doc.toString(), offset);
    return found === null ? null : tooltipOf(found);
  };
  return [
    autocompletion({ override: [(context) => suggestionsAt(context, source)], icons: false }),
    hoverTooltip(tooltipAt),
    SHOWN,
    keymap.of([
      {
        key: 'Mod-i',
        preventDefault: true,
        run: (view) => {
          const { doc, selection } = view.state;
          const { head } = selection.main;
          const show = async () => {
            const tooltip = (await tooltipAt(view, head)) ?? (await tooltipAt(view, keyBefore(doc, head)));
            if (view.state.doc === doc) view.dispatch({ effects: SHOW.of(tooltip) });
          };
          void show();
          return true;
        },
      },
      { key: 'Escape', run: hide },
    ]),
  ];
}

/** The first key of the line of an offset: beside a key and in a value the cursor is at no node of its own. */
function keyBefore(doc: Text, offset: number): number {
  const line = doc.lineAt(offset);
  return line.from + (/^[\s-]*/.exec(line.text)?.[0].length ?? 0);
}

const WORD = /[\w.-]+/;

async function suggestionsAt(
  context: CompletionContext,
  source: LanguageSource,
): Promise<CompletionResult | null> {
  if (!context.explicit && context.matchBefore(WORD) === null) return null;
  const suggestions = await source.complete(context.state.doc.toString(), context.pos);
  const [first] = suggestions;
  if (first === undefined || context.aborted) return null;
  const options = suggestions.filter(({ from }) => from === first.from).map(completionOf);
  return { from: first.from, to: first.to, options, validFor: /^[\w.-]*$/ };
}

function completionOf({ label, kind, template, detail, documentation }: Suggestion): Completion {
  return {
    label,
    type: kind === 'key' ? 'property' : 'enum',
    apply: snippet(template),
    ...(detail && { detail }),
    ...(documentation && { info: () => documentationElement(documentation) }),
  };
}

function tooltipOf({ text, from, to }: Documentation): Tooltip & { end: number } {
  return { pos: from, end: to, above: true, create: () => ({ dom: documentationElement(text) }) };
}

const SHOW = StateEffect.define<Tooltip | null>();

/** The documentation at the cursor, until the text or the selection changes. */
const SHOWN = StateField.define<Tooltip | null>({
  create: () => null,
  update: (shown, { effects, docChanged, selection }) => {
    const set = effects.find((effect) => effect.is(SHOW));
    if (set !== undefined) return set.value;
    return docChanged || selection ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

function hide(view: EditorView): boolean {
  if (view.state.field(SHOWN) === null) return false;
  view.dispatch({ effects: SHOW.of(null) });
  return true;
}
