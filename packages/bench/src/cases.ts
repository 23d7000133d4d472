import { parquetWriteBuffer } from 'hyparquet-writer';
import { proportionalMib } from './measurement/process-usage.js';
import type { Figure } from './measurement/report.js';
import type { Volume } from './measurement/volume.js';
import { BenchStack } from './stack/bench-stack.js';

const FORMATS = ['csv', 'jsonl', 'parquet'] as const;
type Format = (typeof FORMATS)[number];

const ROWS = [10_000, 100_000];
const QUICK = [100, 200];
/** Of 100,000 rows. */
const PUBLISH_SECONDS = 20;
const SAMPLE_EVERY_MS = 20;

/** How long packs take to be published whose cases are the rows of a file, and the memory of the services meanwhile. */
export async function benchCases({ isQuick = false }: Volume = {}): Promise<Figure[]> {
  const stack = await BenchStack.start();
  try {
    await publish(stack, 'csv', 1_000);
    const figures: Figure[] = [];
    for (const format of FORMATS) {
      for (const rows of isQuick ? QUICK : ROWS) {
        const { seconds, growthMib } = await publish(stack, format, rows);
        const name = `publishing ${rows.toLocaleString('en')} rows of ${format}`;
        const target = rows === ROWS[1] ? { target: PUBLISH_SECONDS } : {};
        figures.push(
          { key: `${format}_${rows}_seconds`, name, value: seconds, unit: 's', ...target },
          { key: `${format}_${rows}_rows_per_second`, name, value: rows / seconds, unit: '1/s' },
          {
            key: `${format}_${rows}_growth_mib`,
            name: `${name}: more memory of the services at the peak`,
            value: growthMib,
            unit: 'MiB',
          },
        );
      }
    }
    return figures;
  } finally {
    await stack.stop();
  }
}

async function publish(stack: BenchStack, format: Format, rows: number) {
  const name = `rows.${format}`;
  const file = new Blob([contentOf(format, rows)]);
  const { services } = stack.processes;
  const beforeMib = proportionalMib(services);
  let peakMib = beforeMib;
  const sampler = setInterval(() => {
    peakMib = Math.max(peakMib, proportionalMib(services));
  }, SAMPLE_EVERY_MS);
  try {
    const startedAt = performance.now();
    await stack.enter(packOf(`${format}-${rows}`, name), [], [{ name, file }]);
    return { seconds: (performance.now() - startedAt) / 1_000, growthMib: peakMib - beforeMib };
  } finally {
    clearInterval(sampler);
  }
}

function contentOf(format: Format, rows: number): string | ArrayBuffer {
  const numbers = Array.from({ length: rows }, (_each, index) => index);
  const row = (index: number) => ({
    id: `k${index}`,
    q: `Question ${index} ${'of many '.repeat(20)}`,
    a: `A${index}`,
  });
  if (format === 'jsonl') return numbers.map((index) => JSON.stringify(row(index))).join('\n');
  if (format === 'csv') {
    const lines = numbers.map((index) => Object.values(row(index)).join(','));
    return ['id,q,a', ...lines].join('\n');
  }
  return parquetWriteBuffer({
    columnData: (['id', 'q', 'a'] as const).map((name) => ({
      name,
      data: numbers.map((index) => row(index)[name]),
    })),
  });
}

/** A pack whose cases are the rows of the file. */
function packOf(slug: string, path: string): object {
  return {
    pack: { slug, name: 'Rows', family: 'bench' },
    version: {
      number: 1,
      execution_mode: 'prompt_eval',
      evaluation_spec: {
        name: slug,
        version_number: 1,
        judge_mode: 'deterministic',
        validators: [
          {
            key: 'exact',
            type: 'exact_match',
            target: 'final_output',
            expected_from: 'case.expectations.reply',
          },
        ],
        scorecard: { dimensions: ['correctness'], pass_threshold: 1 },
      },
    },
    challenges: [
      { key: 'reply', title: 'Reply', category: 'bench', difficulty: 'easy', instructions: '{{question}}' },
    ],
    input_sets: [
      {
        key: 'all',
        name: 'All rows',
        cases_from: {
          path,
          case_key: '{{row.id}}',
          challenge_key: 'reply',
          payload: { question: '{{row.q}}' },
          expectations: [{ key: 'reply', kind: 'text', value: '{{row.a}}' }],
        },
      },
    ],
  };
}
