import { ApiError, type Published, routes } from '@agentclash/api';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { CommandError } from '../../command-error.js';
import type { Session } from '../../session/session.js';
import { showTransfer, type Transfer } from '../../terminal/live-area.js';
import type { Paint } from '../../terminal/output.js';
import { facts } from '../../terminal/table.js';
import { noteOmitted, packProblems, problemLine, problemLines } from '../../yaml/problem-line.js';
import { readSource, sourceName } from '../../yaml/read-source.js';

interface Input {
  file: string;
  strict?: boolean;
  requireAudit?: boolean;
  draft?: boolean;
}

export async function publishPack(
  session: Session,
  { file, strict = false, requireAudit = false, draft = false }: Input,
): Promise<ExitCode | undefined> {
  const { out } = session;
  const refused = requireAudit ? await auditFirst(session, file) : undefined;
  if (refused !== undefined) return refused;
  const [written, client] = await Promise.all([readSource(file), session.client()]);
  const name = sourceName(file);
  const { withPinnedImages } = await import('./pin-images.js');
  const source = await withPinnedImages(session, { name, source: written });
  const { withFilesBeside } = await import('./pack-folder.js');
  let transfer: Transfer | undefined;
  const body = await withFilesBeside(file, source, (total) => {
    transfer = showTransfer(out, name, total);
    return transfer?.at;
  });
  try {
    const published = await client.call(routes.packs.publish, { query: { strict, draft }, body });
    transfer?.end();
    for (const warning of published.warnings) out.note(problemLine(name, warning, out.paint));
    out.result(published, () => publishedText(published, out.paint));
    if (published.draft_expires_at !== undefined) out.note(out.paint.dim(draftHint(published)));
    return undefined;
  } catch (error) {
    const problems = error instanceof ApiError ? packProblems(error) : undefined;
    if (!(error instanceof ApiError) || problems === undefined) throw error;
    out.result({ valid: false, errors: problems }, () =>
      problemLines({ name, text: new TextDecoder().decode(source) }, problems, out.paint),
    );
    noteOmitted(error.facts.problems_omitted, out);
    if (problems.some(({ code }) => code === 'artifact_not_found')) out.note(out.paint.dim(FILES_HINT));
    return EXIT_CODES.usage;
  } finally {
    transfer?.end();
  }
}

function publishedText(published: Published, paint: Paint): string {
  const { bundle_artifact_id: bundle, draft_expires_at: until } = published;
  const sets = published.input_sets.map(({ key, id }) => [`input set ${key}`, id] as const);
  const rows = [
    ['pack', published.challenge_pack_id],
    ['version', published.challenge_pack_version_id],
    ['evaluation spec', published.evaluation_spec_id],
    ...sets,
    ...(bundle === null ? [] : [['bundle', bundle] as const]),
    ['digest', published.digest],
    ...(until === undefined ? [] : [['kept until', until] as const]),
  ] as const;
  return `${paint.green(verbOf(published))} version ${published.version_number}\n${facts(rows, paint.dim)}`;
}

function verbOf({ created, draft_expires_at }: Published): string {
  if (draft_expires_at !== undefined) return 'stored a draft of';
  return created ? 'published' : 'nothing changed:';
}

/** How a draft is run. */
function draftHint({ challenge_pack_id: pack }: Published): string {
  return `Run a case of it: agentclash run start --pack ${pack} --case KEY --deployment NAME --follow`;
}

/** The exit code of an audit that the file does not pass; undefined where it does. */
async function auditFirst(session: Session, file: string): Promise<ExitCode | undefined> {
  const { out } = session;
  if (file === '-') {
    throw new CommandError('usage', 'Standard input can be read once only', {
      hint: 'Write the pack to a file: --require-audit reads it before it is published.',
    });
  }
  const [{ auditOfFile, exitOf }, { auditText }] = await Promise.all([
    import('./audit.js'),
    import('./audit-report.js'),
  ]);
  const report = await auditOfFile(session, { file });
  if ('problems' in report) return EXIT_CODES.usage;
  if (report.result === 'passed') {
    out.note(`audit passed: ${report.checks.cheats.summary}; ${report.checks.strength.summary}`);
    return undefined;
  }
  out.result(report, () => `${auditText(report, out)}\n\nNothing was published.`);
  return exitOf(report);
}

const FILES_HINT =
  'A path counts from the folder of the pack. For stored files: agentclash artifact upload, and the id as artifact_id.';
