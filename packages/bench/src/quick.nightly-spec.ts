import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { repository } from '@agentclash/e2e';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isInstalled } from './promptfoo/evaluation.js';

const run = promisify(execFile);
const MAIN = path.join(repository, 'packages/bench/dist/main.js');
const TASK = {
  prompt: 'def double(x):\n',
  canonical_solution: '    return x + x\n',
  test: 'def check(candidate):\n    assert candidate(2) == 4\n',
  entry_point: 'double',
};

/** The figures that each set must have measured, among others. */
const SETS: Record<string, readonly string[]> = {
  creation: ['create_20_seconds', 'create_20_growth_mib'],
  'api-load': ['served_p99_ms', 'neither'],
  attempts: ['prompt_eval_attempts_per_second', 'native_services_cpu_ms', 'verified_peak_mib'],
  audit: ['oracle_passed', 'mutants_noticed', 'audit_seconds'],
  broker: ['call_added_p50_ms', 'large_call_added_p50_ms', 'growth_mib'],
  events: ['events_per_second', 'events_p95_ms', 'fan_out_per_second', 'fan_out_p95_ms'],
  reads: ['runs_p95_ms', 'runs_cpu_ms', 'all_p95_ms'],
  web: ['arena_shown_ms', 'matrix_delay_ms', 'replay_shown_ms', 'race_frame_p95_ms', 'race_heap_mib'],
  memory: ['peak_10_mib', 'peak_20_mib', 'growth_mib', 'different_peak_20_mib', 'different_growth_mib'],
  tenants: ['search_patterns_ratio', 'bus_api_flood_api_p99_ms', 'slow_bodies_violations'],
  run: ['start_seconds', 'cases_per_second', 'peak_mib'],
  promptfoo: ['rate_ratio', 'memory_ratio'],
  humaneval: ['race_seconds', 'canonical_passed'],
  cases: ['csv_100_seconds', 'parquet_200_growth_mib'],
  packs: ['10kb_documents_per_second', 'validate_many_seconds'],
  sandbox: ['create_p50_ms', 'idle_sandbox_mib', 'bubblewrap_per_second_at_16', 'kubernetes_pool_available'],
  scoring: ['attempts_per_second', 'comparison_seconds'],
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'agentclash-bench-'));
  const tasks = [0, 1].map((index) => JSON.stringify({ task_id: `HumanEval/${index}`, ...TASK }));
  writeFileSync(path.join(folder, 'tasks.jsonl.gz'), gzipSync(tasks.join('\n')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** promptfoo is no dependency of this repository, and large: without it its set counts as skipped. */
const installed = Object.entries(SETS).filter(([name]) => name !== 'promptfoo' || isInstalled());
if (!isInstalled())
  test.skip('the set promptfoo runs once `pnpm bench promptfoo` has installed it', () => {});

test.each(installed)(
  'the set %s runs and measures every figure that it declares',
  async (name, keys) => {
    const json = path.join(folder, `${name}.json`);
    const flags = ['--quick', '--json', json, '--data', path.join(folder, 'tasks.jsonl.gz')];
    const { stderr } = await run(process.execPath, [MAIN, name, ...flags]);
    expect(stderr).toBe('');
    const document = JSON.parse(readFileSync(json, 'utf8'));
    expect(document.quick).toBe(true);
    const figures = document.benches[name];
    expect(Object.keys(figures)).toEqual(expect.arrayContaining([...keys]));
    for (const { value } of Object.values<{ value: number }>(figures))
      expect(value).toEqual(expect.any(Number));
    // However short a race is, its memory was read.
    for (const key of Object.keys(figures).filter((each) => each.includes('peak')))
      expect(figures[key].value).toBeGreaterThan(0);
  },
  600_000,
);
