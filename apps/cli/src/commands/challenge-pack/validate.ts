import type { Validation } from '@agentclash/api';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import type { Session } from '../../session/session.js';
import { plural } from '../../terminal/figures.js';
import { oneLine, printable } from '../../terminal/printable.js';
import { noteOmitted, packProblems, problemLines } from '../../yaml/problem-line.js';
import { readSource, sourceName } from '../../yaml/read-source.js';

interface Input {
  files: string[];
  strict?: boolean;
  remote?: boolean;
}

type Check = (source: Uint8Array, file: string) => Promise<Validation>;

/** A file with the result of reading it, or the reason why it could not be read. */
type Checked = { file: string } & Attempt;

type Attempt = { validation: Validation; text: string } | { failure: CommandError };

/** Reports every problem of all files; invalid ones end with the usage code. */
export async function validatePacks(session: Session, { files, strict = false, remote = false }: Input) {
  if (files.indexOf('-') !== files.lastIndexOf('-')) {
    throw new CommandError('usage', '- is standard input, which can be read once');
  }
  const check = remote ? await remoteCheck(session, strict) : await offlineCheck(strict);
  const checked: Checked[] = [];
  for (const file of files) checked.push({ file: sourceName(file), ...(await attempt(file, check)) });
  const [first] = checked;
  if (checked.length === 1 && first && 'failure' in first) throw first.failure;
  const { out } = session;
  const documents = checked.map(documentOf);
  out.result(documents.length === 1 ? documents[0] : { files: documents }, () =>
    checked
      .map((each) => ('failure' in each ? failed(each, session) : report(each, each.validation, session)))
      .join('\n'),
  );
  for (const each of checked) if ('validation' in each) noteOmitted(each.validation.problems_omitted, out);
  return exitOf(checked);
}

/** A file that cannot be read hides nothing about the others. */
async function attempt(file: string, check: Check): Promise<Attempt> {
  try {
    const source = await readSource(file);
    return { validation: await check(source, file), text: new TextDecoder().decode(source) };
  } catch (error) {
    if (error instanceof CommandError) return { failure: error };
    throw error;
  }
}

function documentOf(checked: Checked) {
  if ('validation' in checked) return { file: checked.file, ...checked.validation };
  const { exit: code, message } = checked.failure;
  return { file: checked.file, valid: false, error: { code, message } };
}

function failed({ failure }: { failure: CommandError }, { out }: Session): string {
  return `${out.paint.red('error')} ${printable(failure.message)}`;
}

function exitOf(checked: readonly Checked[]): ExitCode {
  if (checked.some((each) => 'validation' in each && !each.validation.valid)) return EXIT_CODES.usage;
  const [failure] = checked.flatMap((each) => ('failure' in each ? [each.failure] : []));
  return failure ? EXIT_CODES[failure.exit] : EXIT_CODES.ok;
}

function report(
  { file, text }: { file: string; text: string },
  { valid, errors, warnings, summary }: Validation,
  { out }: Session,
): string {
  const { paint } = out;
  const problems = [...errors, ...warnings].sort(
    (left, right) => left.line - right.line || left.column - right.column,
  );
  const lines = problems.length === 0 ? [] : [problemLines({ name: file, text }, problems, paint)];
  const counts = `${plural(errors.length, 'error')}, ${plural(warnings.length, 'warning')}`;
  if (!valid) return [...lines, `${paint.red('invalid')} ${oneLine(file)}: ${counts}`].join('\n');
  const { slug, number, challenges, input_sets, cases, digest } = summary;
  const content = [
    plural(challenges ?? 0, 'challenge'),
    plural(input_sets ?? 0, 'input set'),
    cases === null ? 'cases of a file that was not read' : plural(cases, 'case'),
  ].join(', ');
  const verdict = `${paint.green('valid')} ${oneLine(file)}: ${slug} version ${number}, ${content}`;
  const shown = digest === null ? [] : [paint.dim(`  ${digest}`)];
  return [...lines, warnings.length > 0 ? `${verdict}; ${counts}` : verdict, ...shown].join('\n');
}

/** The digest covers the artifact ids of files beside the pack and in archives: only the server knows those. */
async function offlineCheck(strict: boolean): Promise<Check> {
  const [{ archiveMembers, manifestOf, openPack }, { packFolder, readDataFiles }] = await Promise.all([
    import('@agentclash/challengepack'),
    import('./pack-folder.js'),
  ]);
  return async (source, file) => {
    const { fileExists = () => true, fileBytes, fileText } = packFolder(file);
    let hasFiles = false;
    const opened = openPack(source, {
      strict,
      pinsImages: true,
      ...(fileBytes && { fileBytes }),
      ...(fileText && { fileText }),
      fileExists(asset) {
        hasFiles = true;
        return fileExists(asset);
      },
    });
    await readDataFiles(file, opened);
    const { valid, problems, omitted, summary, pack } = opened.end();
    hasFiles ||= pack !== undefined && archiveMembers(manifestOf(pack)).length > 0;
    const of = (severity: string) => problems.filter((problem) => problem.severity === severity);
    return {
      valid,
      errors: of('error'),
      warnings: of('warning'),
      ...(omitted > 0 && { problems_omitted: omitted }),
      summary: hasFiles ? { ...summary, digest: null } : summary,
    };
  };
}

const UNREAD: Validation['summary'] = {
  slug: null,
  number: null,
  execution_mode: null,
  challenges: null,
  input_sets: null,
  cases: null,
  tools: null,
  digest: null,
};

async function remoteCheck(session: Session, strict: boolean): Promise<Check> {
  const [{ ApiError, routes }, client] = await Promise.all([import('@agentclash/api'), session.client()]);
  const { withFilesBeside } = await import('./pack-folder.js');
  return async (source, file) => {
    const body = await withFilesBeside(file, source);
    try {
      return await client.call(routes.packs.validate, { query: { strict }, body });
    } catch (error) {
      const errors = error instanceof ApiError ? packProblems(error) : undefined;
      if (errors === undefined) throw error;
      return { valid: false, errors, warnings: [], summary: UNREAD };
    }
  };
}
