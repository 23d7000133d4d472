import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CommandOptions, type Ended, emptyFolder } from '../command.js';
import { type GoldenCase } from './cases.js';

/** The files in the folder in which each command is run. */
const FILES: Readonly<Record<string, string>> = {
  'solve.py': 'print(42)\n',
  'agents.yaml': `provider_accounts: [{name: local, provider_key: openai_compatible, base_url: "http://127.0.0.1:11434/v1"}]
model_aliases: [{name: fast, provider_account: local, model: qwen3}]
runtime_profiles: [{name: short, max_iterations: 20}]
tools: []
deployments:
  - {name: llm, kind: model, runtime_profile: short, config: {model_alias: fast}}
  - {name: solver, kind: program, config: {command: [python3, /agent/solve.py], files: [{path: solve.py, from: solve.py}]}}
`,
  'faulty.yaml': `deployments:
  - {name: a, kind: robot, config: {}}
  - {nam: b, kind: model}
`,
  'policy.yaml': `name: release
comparisons:
  correctness: {max_regression: {warn: 0.05, fail: 0.1}}
`,
  'questions.csv': 'id,Question,Answer,topic\n1,What is 2 + 2?,4,sums\n2,"What is 2 + 2, doubled?",8,sums\n',
  'capitals.jsonl':
    '{"question": "Capital of Peru?", "answer": "Lima"}\n{"question": "Of Malta?", "answer": "Valletta"}\n',
  'results.jsonl':
    '{"pack":"sums","input_set":"easy","lane":"theirs","case_key":"small","final_output":"4"}\n{"lane":"theirs","case_key":"huge"}\n',
  'faulty.jsonl': '{"lane":"a"}\n{"lane":"a","case_key":"small","cost_usd":-1}\n{\n',
  'scored.jsonl':
    '{"pack":"sums","input_set":"easy","lane":"theirs","case_key":"small","dimensions":{"corectness":{"score":1}}}\n',
  'huge.jsonl':
    '{"lane":"a","case_key":"small","dimensions":{"d":{"score":1}},"metrics":{"steps":1e308}}\n{"lane":"a","case_key":"small","latency_ms":1e308}\n',
  'refused.jsonl':
    '{"pack":"sums","input_set":"easy","lane":"theirs","case_key":"small"}\n\n{"lane":"refused","case_key":"small"}\n',
  'failing.jsonl': '{"pack":"sums","input_set":"easy","lane":"failing","case_key":"small"}\n',
  'trajectories.jsonl': '{"schema_version":"ATIF-v1.7","agent":{"name":"a"},"steps":[]}\n{}\n',
  'ragged.csv': 'question,answer\none,1,2\ntwo\n',
  'promptfooconfig.yaml': `prompts: ['Reply with the capital of {{country}}.']
providers: [openai:chat:gpt-5-mini, echo]
tests:
  - {vars: {country: Peru}, assert: [{type: equals, value: Lima}, {type: similar, value: Lima}]}
  - {vars: {country: Malta}, assert: [{type: icontains, value: valletta}]}
`,
  'samples.jsonl': `{"input": [{"role": "user", "content": "Capital of Peru?"}], "ideal": "Lima"}
{"input": [{"role": "user", "content": "Of Malta?"}], "ideal": ["Valletta", "Il-Belt"]}
`,
  'dataset.jsonl': '{"input": "Capital of Peru?", "target": "Lima", "id": "peru"}\n',
  'instances.jsonl': '{"instance_id": "a__b-1", "repo": "a/b"}\n',
  'broken.yaml': 'pack: {slug: A B}\n',
};

/** Longer outputs are kept by their beginning. */
const LINES_MAX = 80;
/** Beyond so many the number of lines left out describes no command, only a generated file. */
const COUNTED_MAX = 1000;

/** One command with all it prints and what it ends with, as a person would see it; errors are marked. */
export async function transcriptOf(
  { line, stdin }: GoldenCase,
  { host, url, pack }: { host: CommandHost; url: string; pack: string },
): Promise<string> {
  const cwd = emptyFolder();
  for (const [name, content] of Object.entries({ ...FILES, 'pack.yaml': pack })) {
    writeFileSync(path.join(cwd, name), content);
  }
  const { code, stdout, stderr } = await host.run(line.split(' ').filter(Boolean), {
    cwd,
    ...(stdin !== undefined && { stdin }),
  });
  const printed = [...linesOf(stdout), ...linesOf(stderr).map((each) => `! ${each}`)];
  const normal = normalised(printed.join('\n'), { folder: cwd, url });
  return [`$ agentclash ${line}`.trimEnd(), ...(normal === '' ? [] : [normal]), `= ${code}`, ''].join('\n');
}

function linesOf(text: string): string[] {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const more = lines.length - LINES_MAX;
  return more > 0
    ? [...lines.slice(0, LINES_MAX), `… ${more > COUNTED_MAX ? 'many' : more} more lines`]
    : lines;
}

/** Whatever differs from machine to machine and from time to time. */
function normalised(text: string, { folder, url }: { folder: string; url: string }): string {
  return (
    text
      .replaceAll(folder, '<folder>')
      .replaceAll(url, 'http://server')
      .replaceAll(process.version, 'v<node>')
      // The deadline of what waits for a person is a century away.
      .replace(/\b\d{4,} h \d\d m/g, '<time>')
      .replace(/\/tmp\/agentclash-cli-\w+/g, '<folder>')
  );
}

const HOST = path.resolve(import.meta.dirname, 'run-lines.mjs');

/** A process that runs command lines one after the other. */
export class CommandHost {
  private readonly child: ChildProcess;

  constructor(env: Record<string, string>) {
    const home = emptyFolder();
    this.child = fork(HOST, { env: { HOME: home, XDG_CONFIG_HOME: path.join(home, '.config'), ...env } });
  }

  async run(words: readonly string[], { cwd = emptyFolder(), stdin = '' }: CommandOptions): Promise<Ended> {
    const waiting = new AbortController();
    const { signal } = waiting;
    const exited = once(this.child, 'exit', { signal }).then(([code, by]) => {
      throw new Error(`the process of commands ended with ${code ?? by} at: ${words.join(' ')}`);
    });
    try {
      this.child.send({ words, cwd, stdin: String(stdin) });
      const replied = once(this.child, 'message', { signal }).then(([ended]) => ended as Ended);
      return await Promise.race([replied, exited]);
    } finally {
      exited.catch(() => {});
      waiting.abort();
    }
  }

  stop(): void {
    this.child.kill();
  }
}
