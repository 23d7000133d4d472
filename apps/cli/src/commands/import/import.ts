import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import type { CommandRun, Session } from '../../session/session.js';
import { plural } from '../../terminal/figures.js';
import type { Output, Paint } from '../../terminal/output.js';
import { oneLine } from '../../terminal/printable.js';
import { problemLines } from '../../yaml/problem-line.js';
import { requireUsableFolder, writePackFolder } from './pack-folder-writer.js';

type Importers = typeof import('@agentclash/importers');
type ImportedPack = Awaited<ReturnType<Importers['importPack']>>;
type LossItem = ImportedPack['report']['items'][number];

interface Input {
  path: string;
  output: string;
  strict?: boolean;
  force?: boolean;
}

/** Imports a source as a kind; `names` are the options of that kind. */
export function importAs(
  kind: string,
  names: readonly string[],
): CommandRun<Input & Partial<Record<string, unknown>>> {
  return async (session, input) => {
    const options = Object.fromEntries(
      names.flatMap((name) => (input[name] === undefined ? [] : [[name, String(input[name])]])),
    );
    return importInto(session, kind, { ...input, options });
  };
}

async function importInto(
  { out }: Session,
  kind: string,
  { path, output, strict = false, force = false, options }: Input & { options: Record<string, string> },
): Promise<ExitCode | undefined> {
  await requireUsableFolder(output, { force });
  const imported = await read(kind, path, options);
  const { report, summary, warnings } = imported;
  const isLossy = report.items.some(({ fate }) => fate !== 'carried');
  const isRefused = strict && isLossy;
  if (!isRefused) await writePackFolder(output, imported);
  const files = isRefused ? [] : [...imported.files.keys()].sort();
  out.result({ folder: output, written: !isRefused, files, summary, ...report, problems: warnings }, () =>
    [
      ...report.items.map((item) => itemLine(item, out.paint)),
      ...report.warnings.map((text) => `${out.paint.yellow('warning')} ${oneLine(text)}`),
      ...packWarnings(imported, out),
      isRefused
        ? `${out.paint.red('not written')}: --strict allows no losses; ${counts(report.items)}`
        : `${out.paint.green('written')} ${oneLine(output)}: ${summary.slug}, ${plural(summary.cases ?? 0, 'case')}; ${counts(report.items)}`,
    ].join('\n'),
  );
  if (isRefused) return EXIT_CODES.warned;
  out.note(out.paint.dim(`Next: agentclash challenge-pack validate ${oneLine(output)}/pack.yaml`));
  return undefined;
}

async function read(kind: string, path: string, options: Record<string, string>): Promise<ImportedPack> {
  const { ImportError, importPack, openDiskSource, problemText } = await import('@agentclash/importers');
  try {
    return await importPack(
      kind as Parameters<Importers['importPack']>[0],
      await openDiskSource(path),
      options,
    );
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const [first, ...others] = error.problems.map(problemText);
    throw new CommandError('usage', first ?? 'the source cannot be imported', {
      choices: others,
      ...(error.hint !== undefined && { hint: error.hint }),
      cause: error,
    });
  }
}

function itemLine({ where, key, fate, reason }: LossItem, paint: Paint): string {
  const color = { carried: paint.green, changed: paint.yellow, dropped: paint.red }[fate];
  return `${color(fate)} ${oneLine(where)} ${paint.bold(oneLine(key))}: ${oneLine(reason)}`;
}

function packWarnings({ files, warnings }: ImportedPack, { paint }: Output): string[] {
  const text = files.get('pack.yaml');
  if (warnings.length === 0 || typeof text !== 'string') return [];
  return [problemLines({ name: 'pack.yaml', text }, warnings, paint)];
}

function counts(items: readonly LossItem[]): string {
  return ['carried', 'changed', 'dropped']
    .map((fate) => `${items.filter((item) => item.fate === fate).length} ${fate}`)
    .join(', ');
}
