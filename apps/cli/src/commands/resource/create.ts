import path from 'node:path';
import type { Client } from '@agentclash/api';
import { Existing, namedIn, unknownNames } from '../../deployment-file/plan.js';
import { type DeploymentFile, inOrder, readDeploymentFile } from '../../deployment-file/read.js';
import { toolFaults } from '../../deployment-file/tools.js';
import { EXIT, type ExitCode } from '../../exit.js';
import { KIND_NAMES, type KindName } from '../../resources/kind-names.js';
import { KINDS } from '../../resources/kinds.js';
import type { Session } from '../../session.js';
import type { CommandModule } from '../../tree/act.js';
import { type Problem, problemLines } from '../../yaml/problem-line.js';
import { readSource, sourceName } from '../../yaml/read-source.js';
import { Applying } from './apply.js';
import { applyAll } from './apply-all.js';
import { readLocalFiles } from './local-files.js';

interface Input {
  file: string;
}

/** Makes what a file holds; one resource alone in it is of the given kind. */
export function createFrom(kind: KindName): CommandModule<Input> {
  return { run: (session, { file }) => create(session, file, kind) };
}

/** Nothing is written before the whole file has been understood and every file it names has been read. */
async function create(session: Session, name: string, kind: KindName): Promise<ExitCode | undefined> {
  const file = readDeploymentFile(new TextDecoder().decode(await readSource(name)), kind);
  const folder = name === '-' ? process.cwd() : path.dirname(path.resolve(name));
  const { contents, problems: unreadable } = await readLocalFiles(file, folder);
  const faults = inOrder([...file.problems, ...unreadable]);
  if (faults.length > 0) return refuse(session, { name, file }, faults);
  const client = await session.client();
  const existing = await lookUp(client, file);
  const misfits = inOrder([...unknownNames(file, existing), ...(await misfittingTools(client, file))]);
  if (misfits.length > 0) return refuse(session, { name, file }, misfits);
  if (file.entries.length === 0) session.out.note(`${sourceName(name)} holds nothing to make`);
  return applyAll(session, { name, file, applying: new Applying(client, existing, contents) });
}

function refuse(
  session: Session,
  { name, file }: { name: string; file: DeploymentFile },
  problems: readonly Problem[],
): ExitCode {
  session.out.result({ valid: false, errors: problems }, () =>
    problemLines({ name: sourceName(name), text: file.source.text }, problems, session.out.paint),
  );
  return EXIT.usage;
}

async function misfittingTools(client: Client, file: DeploymentFile): Promise<Problem[]> {
  if (!file.entries.some(({ kind }) => kind === 'tool')) return [];
  return toolFaults(file, await KINDS.tool.listAll(client));
}

/** So many names are asked for one by one; for more the whole list is fetched. */
const FEW = 10;

async function lookUp(client: Client, file: DeploymentFile): Promise<Existing> {
  const existing = new Existing();
  const named = namedIn(file);
  for (const kind of KIND_NAMES) {
    const names = named.flatMap((each) => (each.kind === kind ? [each.name] : []));
    const { find, listAll } = KINDS[kind];
    const found =
      names.length > FEW ? await listAll(client) : await Promise.all(names.map((name) => find(client, name)));
    for (const resource of found) if (resource !== undefined) existing.add(kind, resource);
  }
  return existing;
}
