import path from 'node:path';
import type { Client } from '@agentclash/api';
import { EXIT_CODES, type ExitCode } from '@agentclash/domain';
import { kindsOfUnknownNames, namedIn, StoredResources, unknownNames } from '../../deployment-file/plan.js';
import { type DeploymentFile, inOrder, readDeploymentFile } from '../../deployment-file/read.js';
import { ruleProblems } from '../../deployment-file/rule-problems.js';
import { toolProblems } from '../../deployment-file/tools.js';
import { KIND_NAMES, type KindName } from '../../resources/kind-names.js';
import { KINDS } from '../../resources/kinds.js';
import type { CommandRun, Session } from '../../session/session.js';
import { plural } from '../../terminal/figures.js';
import { oneLine } from '../../terminal/printable.js';
import { shellWord } from '../../terminal/shell-word.js';
import { type Problem, problemLines } from '../../yaml/problem-line.js';
import { readSource, sourceName } from '../../yaml/read-source.js';
import { applyAll, onServer, ResourceApplier } from './apply-all.js';
import { contentProblems } from './content-problems.js';
import { type LocalContents, readLocalFiles } from './local-files.js';

interface Input {
  file: string;
}

/** Makes what a file holds; one resource alone in it is of the given kind. */
export function createFrom(kind: KindName): CommandRun<Input> {
  return (session, { file }) => create(session, file, kind);
}

/** Nothing is written before the whole file has been understood and every file it names has been read. */
async function create(session: Session, name: string, kind: KindName): Promise<ExitCode | undefined> {
  const { file, contents, problems } = await readWithFiles(name, kind);
  const looked = await namesLookedUp(session, file, problems.length > 0);
  if (looked === undefined) return refuse(session, { name, file }, problems);
  problems.push(...looked.problems);
  if (problems.length > 0) return refuse(session, { name, file }, problems);
  if (file.entries.length === 0) session.out.note(`${sourceName(name)} holds nothing to make`);
  return applyAll(session, {
    name,
    file,
    applying: new ResourceApplier(onServer(looked.client), looked.existing, contents),
  });
}

/** A deployment file, the files beside it, and the problems of both. */
export async function readWithFiles(
  name: string,
  kind: KindName,
): Promise<{ file: DeploymentFile; contents: LocalContents; problems: Problem[] }> {
  const hint = `agentclash deployment init ${shellWord(name)} writes one to start from.`;
  const file = readDeploymentFile(new TextDecoder().decode(await readSource(name, hint)), kind);
  const folder = name === '-' ? process.cwd() : path.dirname(path.resolve(name));
  const { contents, problems: unreadable } = await readLocalFiles(file, folder);
  const problems = [...file.problems, ...(await ruleProblems(file)), ...unreadable];
  if (unreadable.length === 0) problems.push(...contentProblems(file, contents));
  return { file, contents, problems };
}

interface LookedUp {
  client: Client;
  existing: StoredResources;
  problems: Problem[];
}

/**
 * The workspace's resources of the names in the file. Where the file is invalid anyway and the server cannot be reached,
 * its own problems are reported without these: undefined.
 */
async function namesLookedUp(
  session: Session,
  file: DeploymentFile,
  hasProblems: boolean,
): Promise<LookedUp | undefined> {
  if (hasProblems && file.described.length === 0) return undefined;
  try {
    const client = await session.client();
    const existing = await lookUp(client, file);
    const stored = new Map<KindName, string[]>();
    for (const kind of kindsOfUnknownNames(file, existing)) {
      stored.set(
        kind,
        (await KINDS[kind].listAll(client)).map(({ name }) => name),
      );
    }
    const misfits = hasProblems ? [] : await misfittingTools(client, file);
    return { client, existing, problems: [...unknownNames(file, existing, stored), ...misfits] };
  } catch (error) {
    if (!hasProblems) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    session.out.note(`Names were not checked against the workspace: ${reason}`);
    return undefined;
  }
}

/** Reports the problems of a deployment file. */
export function refuse(
  session: Session,
  { name, file }: { name: string; file: DeploymentFile },
  problems: readonly Problem[],
): ExitCode {
  const { out } = session;
  const errors = inOrder(problems);
  out.result({ valid: false, errors }, () => {
    const source = { name: sourceName(name), text: file.source.text };
    const summary = `${out.paint.red('invalid')} ${oneLine(source.name)}: ${plural(errors.length, 'error')}`;
    return `${problemLines(source, errors, out.paint)}\n${summary}`;
  });
  return EXIT_CODES.usage;
}

async function misfittingTools(client: Client, file: DeploymentFile): Promise<Problem[]> {
  if (!file.entries.some(({ kind }) => kind === 'tool')) return [];
  return toolProblems(file, await KINDS.tool.listAll(client));
}

/** So many names are requested one by one; for more the whole list is fetched. */
const FEW = 10;

async function lookUp(client: Client, file: DeploymentFile): Promise<StoredResources> {
  const existing = new StoredResources();
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
