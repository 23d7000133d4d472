import { type Command, Option } from 'commander';
import type { Act } from './act.js';

interface ImportOption {
  flags: string;
  description: string;
  choices?: readonly string[];
}

interface ImportKind {
  description: string;
  /** Options of this kind alone. */
  options: readonly ImportOption[];
}

const COLUMNS: readonly ImportOption[] = [
  { flags: '--question <column>', description: 'the column that the agent is given; default: by its name' },
  {
    flags: '--answer <column>',
    description: 'the column with the expected output, which no agent sees; default: by its name',
  },
  {
    flags: '--key <column>',
    description: 'the column that names the cases; default: by its name, else the number of the row',
  },
  { flags: '--show <columns>', description: 'further columns that the agent sees, separated by commas' },
  {
    flags: '--grader <grader>',
    description: 'how outputs are compared with the expected output; default: by its form',
    choices: ['exact', 'normalized', 'numeric', 'contains'],
  },
];

const JUDGE: ImportOption = {
  flags: '--judge <model>',
  description: 'the model that grades where no comparison of texts can; default: alias:judge',
};

const EVALS: readonly ImportOption[] = [
  { flags: '--eval <name>', description: 'the evaluation of a registry that has several' },
  {
    flags: '--class <class>',
    description: 'how samples without a registry are graded; default: match',
    choices: ['match', 'includes', 'fuzzy'],
  },
  JUDGE,
];

const INSPECT: readonly ImportOption[] = [
  { flags: '--input <column>', description: 'the column of the input; default: input' },
  { flags: '--target <column>', description: 'the column of the target; default: target' },
  { flags: '--choices <column>', description: 'the column of the choices; default: choices' },
  { flags: '--id <column>', description: 'the column that names the samples; default: id' },
  {
    flags: '--grader <grader>',
    description: 'how outputs are graded; default: by the scorer of a log, else by the samples',
    choices: ['match', 'includes', 'exact', 'choice', 'f1', 'judge'],
  },
  JUDGE,
];

const UNRUNNABLE: ImportOption = {
  flags: '--include-unrunnable',
  description: 'write tasks that cannot run here into the pack too; default: they are left out',
};

/** Every kind of `agentclash import`; the package of the importers has the same names. */
export const IMPORT_KINDS: Readonly<Record<string, ImportKind>> = {
  csv: { description: 'Import a CSV file as a starter pack', options: COLUMNS },
  jsonl: { description: 'Import a file of JSON lines as a starter pack', options: COLUMNS },
  evals: { description: "Import one of OpenAI's evals: its registry, or its samples", options: EVALS },
  harbor: {
    description: 'Import a task directory or a data set of Harbor, with the oracle of its solutions',
    options: [UNRUNNABLE],
  },
  inspect: { description: 'Import the samples of a data set or log of Inspect', options: INSPECT },
  swebench: {
    description: 'Import instances of SWE-bench, with the oracle of their solutions',
    options: [
      { flags: '--instances <ids>', description: 'import these alone, separated by commas' },
      UNRUNNABLE,
    ],
  },
  promptfoo: {
    description: 'Import a configuration of promptfoo: prompts, tests, assertions and providers',
    options: [
      {
        flags: '--judge <model>',
        description: 'the model that judges outputs by the criteria of llm-rubric',
      },
    ],
  },
};

export function declareImports(program: Command, act: Act): void {
  const group = program
    .command('import')
    .description('Write a challenge pack from the tasks or data of another tool; runs nothing');
  for (const [kind, { description, options }] of Object.entries(IMPORT_KINDS)) {
    const command = group
      .command(kind)
      .argument('<path>', 'the file or folder to import')
      .requiredOption('-o, --output <folder>', 'write the pack into this folder')
      .option('--strict', 'write nothing and end with 2 when anything is changed or dropped')
      .option('--force', 'write into a folder that is not empty; files of the same name are replaced')
      .description(description);
    for (const option of options) command.addOption(optionOf(option));
    command.action(
      act(async () => (await import('../commands/import/import.js')).importAs(kind, options.map(nameOf))),
    );
  }
}

function optionOf({ flags, description, choices }: ImportOption): Option {
  const option = new Option(flags, description);
  return choices === undefined ? option : option.choices(choices);
}

/** The name by which commander gives the value of an option. */
function nameOf(option: ImportOption): string {
  return optionOf(option).attributeName();
}
