import { yamlLanguage } from '@codemirror/lang-yaml';
import { LanguageSupport } from '@codemirror/language';

/**
 * YAML's colours. The parser calls itself once per level of the text, up to some 2,500 times, which can exceed the
 * stack that the browser has left: such a text stays without colours, and the editor works.
 */
export function yamlSyntax(): LanguageSupport {
  return new LanguageSupport(boundedYaml);
}

export const boundedYaml = yamlLanguage.configure({
  wrap: (parse) => ({
    advance: () => {
      try {
        return parse.advance();
      } catch (error) {
        if (error instanceof RangeError) return yamlLanguage.parser.parse('');
        throw error;
      }
    },
    get parsedPos() {
      return parse.parsedPos;
    },
    stopAt: (position) => parse.stopAt(position),
    get stoppedAt() {
      return parse.stoppedAt;
    },
  }),
});
