import type { Validation } from '@agentclash/api';
import { EXIT, type ExitCode } from '../../exit.js';
import type { Session } from '../../session.js';
import { plural } from '../../terminal/figures.js';
import { noteOmitted, problemLine } from '../../yaml/problem-line.js';
import { readSource, sourceName } from '../../yaml/read-source.js';

interface Input {
  files: string[];
  strict?: boolean;
  remote?: boolean;
}

type Check = (source: Uint8Array, file: string) => Promise<Validation>;

/** Says everything about all files; invalid ones end with the usage code. */
export async function run(session: Session, { files, strict = false, remote = false }: Input) {
  const check = remote ? await remoteCheck(session, strict) : await offlineCheck(strict);
  const checked: { file: string; validation: Validation }[] = [];
  for (const file of files) {
    checked.push({ file: sourceName(file), validation: await check(await readSource(file), file) });
  }
  const documents = checked.map(({ file, validation }) => ({ file, ...validation }));
  session.out.result(documents.length === 1 ? documents[0] : { files: documents }, () =>
    checked.map(({ file, validation }) => report(file, validation, session)).join('\n'),
  );
  for (const { validation } of checked) noteOmitted(validation.problems_omitted, session.out);
  const isValid = checked.every(({ validation }) => validation.valid);
  return (isValid ? EXIT.ok : EXIT.usage) as ExitCode;
}

function report(file: string, { valid, errors, warnings, summary }: Validation, { out }: Session): string {
  const { paint } = out;
  const problems = [...errors, ...warnings].sort(
    (left, right) => left.line - right.line || left.column - right.column,
  );
  const lines = problems.map((problem) => problemLine(file, problem, paint));
  const counts = `${plural(errors.length, 'error')}, ${plural(warnings.length, 'warning')}`;
  if (!valid) return [...lines, `${paint.red('invalid')} ${file}: ${counts}`].join('\n');
  const { slug, number, challenges, input_sets, cases, digest } = summary;
  const content = [
    plural(challenges ?? 0, 'challenge'),
    plural(input_sets ?? 0, 'input set'),
    plural(cases ?? 0, 'case'),
  ].join(', ');
  const verdict = `${paint.green('valid')} ${file}: ${slug} version ${number}, ${content}`;
  const shown = digest === null ? [] : [paint.dim(`  ${digest}`)];
  return [...lines, warnings.length > 0 ? `${verdict}; ${counts}` : verdict, ...shown].join('\n');
}

/** The digest covers the artifact ids of files beside the pack: only the server knows those. */
async function offlineCheck(strict: boolean): Promise<Check> {
  const [{ readPack }, { surroundingsOf }] = await Promise.all([
    import('@agentclash/challengepack'),
    import('./pack-folder.js'),
  ]);
  return async (source, file) => {
    const { fileExists = () => true } = surroundingsOf(file);
    let hasFiles = false;
    const { valid, problems, summary } = readPack(source, {
      strict,
      fileExists(asset) {
        hasFiles = true;
        return fileExists(asset);
      },
    });
    const of = (severity: string) => problems.filter((problem) => problem.severity === severity);
    return {
      valid,
      errors: of('error'),
      warnings: of('warning'),
      summary: hasFiles ? { ...summary, digest: null } : summary,
    };
  };
}

async function remoteCheck(session: Session, strict: boolean): Promise<Check> {
  const [{ routes }, client] = await Promise.all([import('@agentclash/api'), session.client()]);
  const { withFilesBeside } = await import('./pack-folder.js');
  return async (source, file) => {
    const body = await withFilesBeside(file, source);
    return await client.call(routes.packs.validate, { query: { strict }, body });
  };
}
