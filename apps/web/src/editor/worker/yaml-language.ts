import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type CompletionItem,
  CompletionItemKind,
  type MarkupContent,
  TextEdit,
} from 'vscode-languageserver-types';
import { yamlDocumentsCache } from 'yaml-language-server/out/src/languageservice/parser/yaml-documents.js';
import { YamlCompletion } from 'yaml-language-server/out/src/languageservice/services/yamlCompletion.js';
import { YAMLHover } from 'yaml-language-server/out/src/languageservice/services/yamlHover.js';
import { YAMLSchemaService } from 'yaml-language-server/out/src/languageservice/services/yamlSchemaService.js';
import type { Documentation, Suggestion } from './orders.js';

const SETTINGS = {
  completion: true,
  hover: true,
  hoverSchemaSource: false,
  indentation: '  ',
  yamlVersion: '1.2' as const,
};
const CLIENT = {
  textDocument: {
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown' as const] } },
  },
};
const ADDRESS = 'file:///document.yaml';

/**
 * Completion and documentation by a JSON Schema: the parts of yaml-language-server that editors use for the same, without
 * its formatter and its server. A schema that a document names is never fetched.
 */
export class YamlLanguage {
  private readonly completion: YamlCompletion;
  private readonly documentation: YAMLHover;
  private version = 0;

  constructor(schema: object) {
    const text = JSON.stringify(schema);
    const schemas = new YAMLSchemaService(async () => text);
    // A copy: the service writes into its schemas.
    schemas.registerExternalSchema('document:schema', ['*'], JSON.parse(text));
    this.completion = new YamlCompletion(schemas, CLIENT, yamlDocumentsCache);
    this.completion.configure(SETTINGS);
    this.documentation = new YAMLHover(schemas);
    this.documentation.configure(SETTINGS);
  }

  async complete(text: string, offset: number): Promise<Suggestion[]> {
    const document = this.documentOf(text);
    const { items } = await this.completion.doComplete(document, document.positionAt(offset));
    const suggestions = new Map<string, Suggestion>();
    for (const item of items) {
      const suggestion = suggestionOf(item, document);
      // The alternatives of a schema repeat a key, each with another beginning of its value.
      if (suggestion && !suggestions.has(suggestion.label)) suggestions.set(suggestion.label, suggestion);
    }
    return [...suggestions.values()];
  }

  async hover(text: string, offset: number): Promise<Documentation | null> {
    const document = this.documentOf(text);
    const hover = await this.documentation.doHover(document, document.positionAt(offset));
    if (!hover?.range) return null;
    const found = textOf(hover.contents as MarkupContent);
    // The title of the schema is no documentation of a field.
    const about = found?.replace(/^#### .*\n*/, '') ?? '';
    if (about === '') return null;
    return {
      text: about,
      from: document.offsetAt(hover.range.start),
      to: document.offsetAt(hover.range.end),
    };
  }

  private documentOf(text: string): TextDocument {
    this.version += 1;
    return TextDocument.create(ADDRESS, 'yaml', this.version, text);
  }
}

function suggestionOf(
  { label, kind, detail, documentation, textEdit }: CompletionItem,
  document: TextDocument,
): Suggestion | undefined {
  // Whole records, named by their JSON type; and the empty text, which means an absent value.
  if (kind === CompletionItemKind.Class || /^(?:""|'')?$/.test(label)) return undefined;
  if (!TextEdit.is(textEdit)) return undefined;
  const about = textOf(documentation);
  return {
    label,
    kind: kind === CompletionItemKind.Property ? 'key' : 'value',
    template: templateOf(textEdit.newText),
    from: document.offsetAt(textEdit.range.start),
    to: document.offsetAt(textEdit.range.end),
    ...(detail && { detail }),
    ...(about && { documentation: about }),
  };
}

/** The snippet syntax of CodeMirror for that of the protocol: `$1` is `${1}`, and braces of the text are escaped. */
function templateOf(snippet: string): string {
  return snippet.replaceAll(
    /\\([$}\\])|\$(\d+)|\$\{(\d+)(?::([^{}]*))?\}|([{}])/g,
    (_all, escaped?: string, bare?: string, field?: string, text = '', brace?: string) => {
      if (escaped !== undefined) return escaped === '}' ? '\\}' : escaped;
      if (brace !== undefined) return `\\${brace}`;
      const number = bare ?? field;
      return `\${${number}${text === '' ? '' : `:${text}`}}`;
    },
  );
}

function textOf(documentation: string | MarkupContent | undefined): string | undefined {
  return typeof documentation === 'object' ? documentation.value : documentation;
}
