import { parquetWriteBuffer } from 'hyparquet-writer';
import { proportionalMib } from './measurement/process-usage.js';
import type { Figure } from './measurement/report.js';
import type { Volume } from './measurement/volume.js';
import { BenchStack } from './stack/bench-stack.js';

const FORMATS = ['csv', 'jsonl', 'parquet'] as const;
type Format = (typeof FORMATS)[number];

const ROWS = { few: 10_000, many: 100_000 };
const QUICK = { few: 100, many: 200 };
/** Of 100,000 rows. */
const PUBLISH_SECONDS = 20;
/** Of many rows against few, in the same measurement: the time of one row, and the memory at the peak. */
const ROW_RATIO = 2;
const PEAK_RATIO = 1.25;
const SAMPLE_EVERY_MS = 20;

/** How long packs take to be published whose cases are the rows of a file, and the memory of the services meanwhile. */
export async function benchCases({ isQuick = false }: Volume = {}): Promise<Figure[]> {
  const stack = await BenchStack.start();
  try {
    await publish(stack, 'csv', 1_000);
    const figures: Figure[] = [];
    const { few, many } = isQuick ? QUICK : ROWS;
    for (const format of FORMATS) {
      const less = await publish(stack, format, few);
      const more = await publish(stack, format, many);
      figures.push(...figuresOf(less), ...figuresOf(more, PUBLISH_SECONDS), ...ratiosOf(less, more));
    }
    return figures;
  } finally {
    await stack.stop();
  }
}

interface Published {
  format: Format;
  rows: number;
  seconds: number;
  /** Of all services, and how much more that is than before. */
  peakMib: number;
  growthMib: number;
}

function figuresOf({ format, rows, seconds, peakMib, growthMib }: Published, target?: number): Figure[] {
  const name = `publishing ${rows.toLocaleString('en')} rows of ${format}`;
  const key = `${format}_${rows}`;
  return [
    { key: `${key}_seconds`, name, value: seconds, unit: 's', ...(target !== undefined && { target }) },
    { key: `${key}_rows_per_second`, name, value: rows / seconds, unit: '1/s' },
    {
      key: `${key}_peak_mib`,
      name: `${name}: memory of the services at the peak`,
      value: peakMib,
      unit: 'MiB',
    },
    { key: `${key}_growth_mib`, name: `${name}: more than before`, value: growthMib, unit: 'MiB' },
  ];
}

function ratiosOf(few: Published, many: Published): Figure[] {
  const rowRatio = many.seconds / many.rows / (few.seconds / few.rows);
  const name = `${many.format}: ${many.rows.toLocaleString('en')} rows against ${few.rows.toLocaleString('en')}`;
  return [
    {
      key: `${many.format}_row_ratio`,
      name: `${name}, time of a row`,
      value: rowRatio,
      unit: '×',
      target: ROW_RATIO,
    },
    {
      key: `${many.format}_peak_ratio`,
      name: `${name}, memory at the peak`,
      value: many.peakMib / few.peakMib,
      unit: '×',
      target: PEAK_RATIO,
    },
  ];
}

async function publish(stack: BenchStack, format: Format, rows: number): Promise<Published> {
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
    const seconds = (performance.now() - startedAt) / 1_000;
    return { format, rows, seconds, peakMib, growthMib: peakMib - beforeMib };
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
