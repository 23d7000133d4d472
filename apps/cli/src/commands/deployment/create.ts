import path from 'node:path';
import type { Client } from '@agentclash/api';
import { planDeployments } from '../../deployment-file/plan.js';
import { type DeploymentFile, readDeploymentFile } from '../../deployment-file/read.js';
import { EXIT, type ExitCode } from '../../exit.js';
import { findDeployment, findProfile } from '../../lookup/deployments.js';
import type { Session } from '../../session.js';
import { oneLine } from '../../terminal/printable.js';
import { type Problem, problemLine } from '../../yaml/problem-line.js';
import { readSource, sourceName } from '../../yaml/read-source.js';
import { type Applied, applyPlan } from './apply-plan.js';
import { readLocalFiles } from './local-files.js';

/** Nothing is written before the whole file has been understood and every file it names has been read. */
export async function run(session: Session, { file: name }: { file: string }): Promise<ExitCode | undefined> {
  const { out } = session;
  const file = readDeploymentFile(new TextDecoder().decode(await readSource(name)));
  if (file.problems.length > 0) return refuse(session, name, file.problems);
  const folder = name === '-' ? process.cwd() : path.dirname(path.resolve(name));
  const { contents, problems: unreadable } = await readLocalFiles(file, folder);
  const client = await session.client();
  const plan = planDeployments(file, await existingNames(client, file));
  const problems = [...plan.problems, ...unreadable];
  if (problems.length > 0) return refuse(session, name, problems);

  const done: Applied[] = [];
  for await (const applied of applyPlan(client, plan, contents)) {
    done.push(applied);
    out.line(describe(session, applied));
  }
  out.document({ items: done });
  if (done.length === 0) out.note(`${sourceName(name)} holds nothing to make`);
  return undefined;
}

function describe({ out: { paint } }: Session, { resource, name, applied, id }: Applied): string {
  const color = applied === 'unchanged' ? paint.dim : paint.green;
  return `${color(applied.padEnd(9))} ${resource.replace('_', ' ')} ${paint.bold(oneLine(name))}  ${paint.dim(id)}`;
}

function refuse({ out }: Session, name: string, problems: readonly Problem[]): ExitCode {
  out.result({ valid: false, errors: problems }, () =>
    problems.map((problem) => problemLine(sourceName(name), problem, out.paint)).join('\n'),
  );
  return EXIT.usage;
}

async function existingNames(client: Client, { profiles, deployments }: DeploymentFile) {
  const profileNames = new Set([
    ...profiles.map(({ spec }) => spec.name),
    ...deployments.flatMap(({ profile }) => profile ?? []),
  ]);
  const found = async <T extends { id: string }>(
    names: Iterable<string>,
    find: (client: Client, name: string) => Promise<T | undefined>,
  ) => {
    const entries = await Promise.all(
      [...names].map(async (name) => [name, (await find(client, name))?.id] as const),
    );
    return new Map(entries.flatMap(([name, id]) => (id === undefined ? [] : [[name, id] as const])));
  };
  return {
    profiles: await found(profileNames, findProfile),
    deployments: await found(
      deployments.map(({ spec }) => spec.name),
      findDeployment,
    ),
  };
}
