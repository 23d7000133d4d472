import { type RefObject, useEffect, useRef } from 'react';
import { SchemaLanguage } from './schema-language.js';
import { YamlEditor, type YamlEditorOptions } from './yaml-editor.js';

interface Options extends Omit<YamlEditorOptions, 'language'> {
  /** The JSON Schema of the document; absent: that of challenge packs. */
  schema?: object;
}

/** An editor in the element of `host`. The options of its first rendering hold, but for `onChange`. */
export function useYamlEditor(options: Options): {
  host: RefObject<HTMLDivElement | null>;
  editor: RefObject<YamlEditor | null>;
} {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<YamlEditor>(null);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    if (host.current === null) return;
    const { schema, ...first } = latest.current;
    const language = new SchemaLanguage(schema);
    const mine = new YamlEditor(host.current, {
      ...first,
      language,
      onChange: (text) => latest.current.onChange(text),
    });
    editor.current = mine;
    return () => {
      mine.close();
      language.close();
    };
  }, []);
  return { host, editor };
}
