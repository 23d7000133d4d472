import { stringify } from 'yaml';

/** The members of a pack in the order of the documentation. */
export interface PackDocument {
  pack: { slug: string; name: string; family: string; description?: string };
  version: Record<string, unknown>;
  challenges: Record<string, unknown>[];
  input_sets: Record<string, unknown>[];
  tools?: Record<string, unknown>;
}

/** The text of a pack, with comment lines above it. Texts of several lines are written as blocks. */
export function packYaml(document: PackDocument, comment: readonly string[]): string {
  const head = [SCHEMA_LINE, ...comment].map((line) => (line === '' ? '#' : `# ${line}`));
  const sections = Object.entries(document)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => yamlText({ [key]: value }));
  return `${head.join('\n')}\n${sections.join('\n')}`;
}

/** Editors read the schema that is written beside an imported pack. */
const SCHEMA_LINE = 'yaml-language-server: $schema=./challenge-pack.schema.json';

/** YAML without anchors; every text is read back as it was. */
export function yamlText(value: unknown): string {
  return stringify(value, {
    aliasDuplicateObjects: false,
    blockQuote: 'literal',
    lineWidth: 100,
    minContentWidth: 40,
    version: '1.2',
    schema: 'core',
  });
}
