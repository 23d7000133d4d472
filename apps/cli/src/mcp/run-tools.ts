import { EXIT_CODES, SEED_MAX } from '@agentclash/domain';
import { z } from 'zod';
import { CallError } from './call-error.js';
import type { EndedCommand } from './child-command.js';
import { type PackReference, packReference } from './references.js';
import { defineTool, FilePath, Name, optionWords, type ToolCall, type ToolReply } from './tool.js';

const Input = z.strictObject({
  pack: FilePath.describe('the file of a pack, or a published one as SLUG or SLUG@VERSION'),
  agents: FilePath.optional().describe('for a file: the deployment file with the agents'),
  deployments: z
    .array(Name)
    .max(50)
    .optional()
    .describe('names of deployments; needed for a published pack without a default lineup'),
  input_set: Name.optional(),
  cases: z.array(Name).max(500).optional().describe('only these cases, by key'),
  repetitions: z.int().min(1).max(100).optional().describe('default: 1'),
  max_concurrency: z.int().min(1).max(10_000).optional(),
  seed: z.int().min(0).max(SEED_MAX).optional().describe('the order of the cases'),
  name: Name.optional(),
  output: FilePath.optional().describe('for a file: where results are written (.clash)'),
  resume: FilePath.optional().describe('for a file: continue the interrupted run of these results (.clash)'),
  wait: z.boolean().optional().describe('for a published pack: false returns when the run is started'),
});
type Input = z.infer<typeof Input>;

export const run = defineTool({
  title: 'Race agents on a pack',
  description:
    'Runs agents on a pack and returns the ranking. A file runs in this process, without a server, and its results are one file (.clash); ' +
    'SLUG or SLUG@VERSION runs on the server. Long runs report progress, and cancelling the call stops the run: a run of a file can be continued by resume. ' +
    'Exit code 0: done, 1: failed, 3: too few graded attempts for a verdict.',
  input: Input,
  isReadOnly: false,
  async call(input, call) {
    const found = await packReference(input.pack, call.folders);
    return 'file' in found ? await runFile(input, found.file, call) : await runPublished(input, found, call);
  },
});

async function runFile(input: Input, pack: string, call: ToolCall): Promise<ToolReply> {
  const { folders, options } = call;
  if (input.agents === undefined) {
    throw new CallError('The run of a file needs agents', [
      'name a deployment file as agents, as agentclash apply -f reads it; agentclash deployment init FILE writes one to start from',
    ]);
  }
  const { output, resume } = input;
  const words = [
    ...['run', 'local'],
    ...optionWords({
      ...sharedOptions(input),
      agents: await folders.existing(input.agents),
      output: output === undefined ? undefined : await folders.writable(output),
      resume: resume === undefined ? undefined : await folders.writable(resume),
      secret: options.secrets,
      'allow-loopback-endpoints': options.allowLoopbackEndpoints,
    }),
    ...['--', pack],
  ];
  const ended = await call.command(words, { isProgress: progressOf(call), isOfFiles: true });
  return { ended: [ended], next: nextOf(ended) };
}

const UNKNOWN =
  'publish {"pack": FILE} stores a pack and apply {"file": FILE} the agents of a deployment file; run then takes their names';

async function runPublished(
  input: Input,
  { slug, version }: Extract<PackReference, { slug: string }>,
  call: ToolCall,
): Promise<ToolReply> {
  const refused = (['agents', 'output', 'resume'] as const).find((name) => input[name] !== undefined);
  if (refused !== undefined) {
    throw new CallError(`${refused} is for packs in files, and ${input.pack} is a published one`, [
      'On a server agents are deployments: apply {"file": FILE}, then their names as deployments.',
    ]);
  }
  const options = { ...sharedOptions(input), pack: slug, 'pack-version': version };
  // Whatever happens to the call: a run that was started has to be known, to be cancelled.
  const started = await call.command(['run', 'start', ...optionWords(options)], { isFinal: true });
  const [, reference] = /^agentclash run show (\S+) --follow$/m.exec(started.notes.join('\n')) ?? [];
  if (started.code === EXIT_CODES.not_found) return { ended: [started], next: [UNKNOWN] };
  if (started.code !== 0 || reference === undefined) return { ended: [started] };
  if (input.wait === false) {
    return { ended: [started], next: [`scorecard {"run": "${reference}"} when it has ended`] };
  }
  for (const line of started.stdout.split('\n')) progressOf(call)(line);
  const ended = await call.command(['run', 'show', '--follow', '--', reference], {
    isProgress: progressOf(call),
  });
  if (!call.signal.aborted) return { ended: [ended], next: nextOf(ended) };
  const cancelled = await call.command(['run', 'cancel', '--', reference], { isFinal: true });
  return { ended: [cancelled], next: [`scorecard {"run": "${reference}"} shows what there is`] };
}

function sharedOptions(input: Input) {
  return {
    deployment: input.deployments,
    'input-set': input.input_set,
    case: input.cases,
    repetitions: input.repetitions,
    'max-concurrency': input.max_concurrency,
    seed: input.seed,
    name: input.name,
  };
}

/** `14:05:09Z  passed      1.000  solver  case-3 #1  (3/10)`, and the line before all that has the number of attempts. */
function progressOf({ progress }: ToolCall): (line: string) => boolean {
  return (line) => {
    const [, attempts] = /^run .*, (\d+) attempts?\b/.exec(line) ?? [];
    if (attempts !== undefined) progress.expect(Number(attempts));
    if (!/^\d\d:\d\d:\d\dZ {2}/.test(line)) return false;
    progress.at(line.slice('14:05:09Z  '.length).replace(/ {2,}/g, ' '), /\(\d+\/\d+\)$/.test(line));
    return true;
  };
}

/** The hints of the command, as calls of tools. */
function nextOf({ notes }: EndedCommand): string[] {
  const text = notes.join('\n');
  const [, results] = /^agentclash eval scorecard (.+?)(?: --attempt .*)?$/m.exec(text) ?? [];
  const [, attempt] = /^agentclash (?:replay|eval scorecard .+ --attempt) (\S+)$/m.exec(text) ?? [];
  const [, resume] = /^Continue with .* --resume (.+)$/m.exec(text) ?? [];
  if (resume !== undefined) return [`run with "resume": ${JSON.stringify(resume)} continues it`];
  if (results === undefined) return [];
  const of = `"run": ${JSON.stringify(results)}`;
  return [
    `scorecard {${of}} shows why attempts failed`,
    ...(attempt === undefined ? [] : [`replay {${of}, "attempt": "${attempt}"} shows the first failure`]),
  ];
}
