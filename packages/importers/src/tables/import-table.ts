import { type JsonObject, type JsonValue, ownMember, valueText } from '@agentclash/challengepack';
import { ImportError } from '../framework/import-error.js';
import { type Importer, type ImportRequest, PACK_FILE, type PackFiles } from '../framework/importer.js';
import { slugOfFile, titleOf, variableOf } from '../writing/names.js';
import { packYaml } from '../writing/pack-yaml.js';
import { type ChosenColumns, chooseColumns } from './choose-columns.js';
import { chooseGrader, GRADERS, type Grader, type GraderChoice } from './choose-grader.js';
import { readTable, type Table } from './read-table.js';

export const importCsv: Importer = (request) => importTable(request, 'csv');
export const importJsonl: Importer = (request) => importTable(request, 'jsonl');

/** A starter pack with one challenge, whose cases are the rows. */
async function importTable(
  { source, options, losses, origins }: ImportRequest,
  format: 'csv' | 'jsonl',
): Promise<PackFiles> {
  const file = source.entry;
  if (file === undefined)
    throw new ImportError({ file: source.name, message: 'it is a folder; give the file' });
  const given = graderOption(options.grader);
  const table = await readTable(source, file, format);
  const columns = chooseColumns(table.columns, { options, losses, file });
  const expected = table.rows.map((row, index) => expectedOf(row, { columns, table, index, file }));
  const grader = chooseGrader(expected, { given, losses });
  reportColumns(table, { columns, losses, file, grader });
  const inline = casesOf({ file, table, columns, expected, origins });
  const template = templateOf({ file, table, columns });
  const cases = template === undefined ? { cases: inline } : { cases_from: template };
  const pack = starterPack({ file, columns, grader, cases });
  return new Map<string, string | Uint8Array>([
    ...(template === undefined ? [] : [[template.path, await source.read(file)] as const]),
    [PACK_FILE, pack],
    ['README.md', readme({ file, columns, grader, count: table.rows.length })],
  ]);
}

function graderOption(name: string | undefined): Grader | undefined {
  const found = GRADERS.find((grader) => grader === name);
  if (name !== undefined && found === undefined) {
    throw new ImportError({ message: `--grader is one of ${GRADERS.join(', ')}` });
  }
  return found;
}

interface RowContext {
  columns: ChosenColumns;
  table: Table;
  index: number;
  file: string;
}

function expectedOf(row: JsonObject, { columns, table, index, file }: RowContext): string {
  const value = ownMember(row, columns.answer);
  const location = { file, ...table.locations[index], field: columns.answer };
  if (value === undefined || value === null)
    throw new ImportError({ ...location, message: 'the row has no answer' });
  const text = valueText(value);
  if (text.trim() === '') throw new ImportError({ ...location, message: 'the answer is empty' });
  return text;
}

function reportColumns(
  { columns: all }: Table,
  {
    columns,
    losses,
    file,
    grader,
  }: Pick<RowContext, 'columns' | 'file'> & {
    losses: ImportRequest['losses'];
    grader: GraderChoice;
  },
): void {
  const { question, answer, key, visible } = columns;
  for (const column of all) {
    const uses = [
      column === question && 'payload.question, the instruction',
      column === answer && `expectations.answer, graded by ${grader.validator.type}: ${grader.reason}`,
      column === key && 'case_key',
      visible.includes(column) && `payload.${variableOf(column)}`,
    ].filter((use) => use !== false);
    if (uses.length > 0) losses.carried(file, column, uses.join('; '));
    else losses.dropped(file, column, 'no column is visible to the agent unless it is named: --show adds it');
  }
}

interface Starter {
  file: string;
  columns: ChosenColumns;
  grader: GraderChoice;
  /** The cases, or the template of the file that has them. */
  cases: object;
}

function starterPack({ file, columns, grader, cases }: Starter): string {
  const slug = slugOfFile(file.split('/').at(-1) ?? file);
  const shown = columns.visible.map((column) => `\n\n${titleOf(column)}:\n{{${variableOf(column)}}}`);
  return packYaml(
    {
      pack: { slug, name: titleOf(slug), family: 'imported' },
      version: {
        number: 1,
        execution_mode: 'prompt_eval',
        evaluation_spec: {
          name: slug,
          version_number: 1,
          judge_mode: 'deterministic',
          validators: [
            {
              key: 'answer',
              ...grader.validator,
              target: 'final_output',
              expected_from: 'case.expectations.answer',
            },
          ],
          scorecard: { pass_threshold: 1, dimensions: [{ key: 'correctness', source: 'validators' }] },
        },
      },
      challenges: [
        {
          key: 'answer',
          title: titleOf(slug),
          category: 'imported',
          difficulty: 'medium',
          instructions: `{{question}}${shown.join('')}\n${grader.request === '' ? '' : `\n${grader.request}\n`}`,
          solution: { answer_from: 'case.expectations.answer' },
        },
      ],
      input_sets: [{ key: 'default', name: 'Default', ...cases }],
    },
    [
      `Imported from ${file}.`,
      'agentclash challenge-pack validate shows every problem with its line and column.',
    ],
  );
}

/**
 * The rows of the file as cases, by templates; undefined where a column has a name that templates cannot have. The cases
 * that are written out are the same, and have been checked.
 */
function templateOf({ file, table, columns }: Pick<RowContext, 'file' | 'table' | 'columns'>) {
  const { question, answer, key, visible } = columns;
  const used = [question, answer, ...(key === undefined ? [] : [key]), ...visible];
  const isNamed = (column: string) =>
    /^[^{}.\s](?:[^{}.]*[^{}.\s])?$/.test(column) && table.names.includes(column);
  if (!used.every(isNamed)) return undefined;
  const cell = (column: string) => `{{row.${column}}}`;
  return {
    path: file.split('/').at(-1) ?? file,
    case_key: key === undefined ? 'row-{{row_number}}' : cell(key),
    challenge_key: 'answer',
    payload: {
      question: cell(question),
      ...Object.fromEntries(visible.map((column) => [variableOf(column), cell(column)])),
    },
    expectations: [{ key: 'answer', kind: 'text', value: cell(answer) }],
  };
}

function casesOf({
  file,
  table,
  columns,
  expected,
  origins,
}: Omit<RowContext, 'index'> & { expected: readonly string[] } & Pick<ImportRequest, 'origins'>) {
  const keys = new Set<string>();
  return table.rows.map((row, index) => {
    const location = { file, ...table.locations[index] };
    const cell = (column: string): JsonValue => {
      const value = ownMember(row, column);
      if (value !== undefined && value !== null) return value;
      throw new ImportError({ ...location, field: column, message: 'the row has no value' });
    };
    const caseKey = columns.key === undefined ? `row-${index + 1}` : valueText(cell(columns.key)).trim();
    if (caseKey === '')
      throw new ImportError({ ...location, field: columns.key ?? '', message: 'the key is empty' });
    if (keys.has(caseKey)) {
      const message = `the key ${JSON.stringify(caseKey)} is repeated`;
      throw new ImportError({ ...location, field: columns.key ?? '', message });
    }
    keys.add(caseKey);
    origins.set(caseKey, location);
    const shown = columns.visible.map((column) => [variableOf(column), cell(column)]);
    return {
      challenge_key: 'answer',
      case_key: caseKey,
      payload: { question: cell(columns.question), ...Object.fromEntries(shown) },
      expectations: [{ key: 'answer', kind: 'text', value: expected[index] }],
    };
  });
}

function readme({
  file,
  columns,
  grader,
  count,
}: Pick<Starter, 'file' | 'columns' | 'grader'> & { count: number }): string {
  const key = columns.key === undefined ? 'the number of the row' : `\`${columns.key}\``;
  return `# Imported from ${file}

${count} cases. The agent is shown \`${columns.question}\`${columns.visible.map((name) => ` and \`${name}\``).join('')};
\`${columns.answer}\` is the expected output, which no agent sees; a case is named by ${key}.
Outputs are graded by \`${grader.validator.type}\`: ${grader.reason}.

## Next steps

1. Read \`pack.yaml\`: do the instructions have all that an agent needs, and does the validator fit?
2. \`agentclash challenge-pack validate pack.yaml\`
3. \`agentclash challenge-pack publish pack.yaml\`
4. \`agentclash run start --pack ${slugOfFile(file)} --deployment YOUR-AGENT --follow\`
`;
}
