import { type ReplayStep, routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Locator, Response } from 'playwright-core';
import type { Visitor } from './testing/visitor.js';
import { WebFixture } from './testing/web-fixture.js';

/** How often the agent writes a file: often enough for several pages of a replay. */
const CALLS = 300;

/** One case of which much is to be seen. */
const BUSY_PACK = {
  pack: { slug: 'busy', name: 'Busy', family: 'e2e', description: 'Much to look at.' },
  version: {
    number: 1,
    execution_mode: 'native',
    tool_policy: { allowed_tool_kinds: ['file'] },
    evaluation_spec: {
      name: 'busy',
      version_number: 1,
      judge_mode: 'deterministic',
      validators: [
        { key: 'exact', type: 'exact_match', target: 'final_output', expected_from: 'literal:done' },
      ],
      scorecard: {
        strategy: 'binary',
        dimensions: [{ key: 'correctness', validators: ['exact'], pass_threshold: 1 }],
      },
    },
  },
  challenges: [
    {
      key: 'write',
      title: 'Write',
      category: 'files',
      difficulty: 'easy',
      instructions: 'Write many files.',
    },
  ],
  input_sets: [
    { key: 'default', name: 'Cases', cases: [{ challenge_key: 'write', case_key: 'one', payload: {} }] },
  ],
};

/** Writes many files, then reads one that is not there. */
const BUSY_AGENT = {
  runtime_profiles: [{ name: 'long', max_iterations: CALLS + 10, max_tool_calls: CALLS + 10 }],
  deployments: [
    {
      name: 'busy',
      kind: 'scripted',
      runtime_profile: 'long',
      config: {
        steps: [
          ...Array.from({ length: CALLS }, (_, n) => ({
            call: { name: 'write_file', arguments: { path: `notes/${n}.txt`, content: `note ${n}` } },
          })),
          { call: { name: 'read_file', arguments: { path: 'nowhere.txt' } } },
          { answer: 'not done' },
        ],
      },
    },
  ],
};

jest.setTimeout(180_000);

/** Of steps that the app shows with the first page. */
const FIRST_PAGE_MAX = 100;

describe('the replay of an attempt with many steps', () => {
  let web: WebFixture;
  let visitor: Visitor;
  let attempt: string;
  let address: string;
  let runId: string;
  let steps: ReplayStep[];

  beforeAll(async () => {
    web = await WebFixture.start();
    await web.prepare(JSON.stringify(BUSY_PACK), JSON.stringify(BUSY_AGENT));
    runId = await web.race(['--pack', 'busy', '--deployment', 'busy']);
    const { items } = await web.client.call(routes.runs.attempts, { params: { run_id: runId } });
    const attemptId = items[0]?.id ?? '';
    attempt = `/attempts/${attemptId}`;
    address = `${attempt}?tab=events`;
    steps = await stepsOf(web, attemptId);
    visitor = await web.visit();
  }, 180_000);
  afterAll(async () => {
    expect(visitor.pageErrors).toEqual([]);
    await visitor?.leave();
    await web?.close();
  });

  const timeline = () => visitor.page.getByRole('region', { name: 'Timeline' });
  const isAllLoaded = () => visitor.page.getByText(`${steps.length} steps`).waitFor();

  test('the replay begins with a short page, and has all steps in order in the end', async () => {
    expect(steps.length).toBeGreaterThan(CALLS);
    const { page } = visitor;
    const responses: Promise<{ items: unknown[] }>[] = [];
    const keep = (response: Response) => {
      if (new URL(response.url()).pathname.endsWith('/replay')) responses.push(response.json());
    };
    page.on('response', keep);
    await visitor.open(address);
    await isAllLoaded();
    page.off('response', keep);
    const pages = (await Promise.all(responses)).map(({ items }) => items.length);
    expect(pages[0]).toBeLessThan(FIRST_PAGE_MAX);
    expect(pages.reduce((sum, count) => sum + count)).toBe(steps.length);
    await expectShown(timeline().getByRole('listitem').first(), steps[0]);
    await timeline().focus();
    await page.keyboard.press('End');
    const last = timeline().locator(`[aria-posinset="${steps.length}"]`);
    await expectShown(last, steps.at(-1));
  });

  test('the replay jumps to the first failure on a later page, whose address leads there again', async () => {
    const { page } = visitor;
    await visitor.open(address);
    await isAllLoaded();
    await page.getByRole('button', { name: 'Jump to the first failure' }).click();
    const failed = timeline().getByRole('listitem').filter({ hasText: 'nowhere.txt' }).first();
    await failed.waitFor();
    await page.waitForURL(/event=\d+/);
    await page.reload();
    await failed.waitFor();
    await failed.getByRole('button', { expanded: true }).waitFor();
  });

  test('the search of a replay covers all its pages', async () => {
    const { page } = visitor;
    await visitor.open(`${address}&q=notes/${CALLS - 1}.txt`);
    await page.getByText(` of ${steps.length} steps`).waitFor();
    const found = timeline().getByRole('listitem');
    const wanted = steps.filter((step) => JSON.stringify(step).includes(`notes/${CALLS - 1}.txt`));
    await found.first().waitFor();
    expect(await found.count()).toBe(wanted.length);
    expect(wanted.length).toBeGreaterThan(0);
  });

  test('the transcript has every tool call in order, and only those in view are in the document', async () => {
    const { page } = visitor;
    await visitor.open(attempt);
    const transcript = page.getByRole('list', { name: 'Transcript' });
    // The task and the answer beside the calls.
    await page.getByText(`${CALLS + 3} turns`).waitFor();
    expect(await transcript.getByRole('article').count()).toBeLessThan(60);
    const written = transcript.getByText('"note 0"');
    await written.first().waitFor();
    // The list grows while its turns are measured.
    await waitFor(async () => {
      await page.keyboard.press('End');
      return (
        (await transcript
          .locator(`[aria-posinset="${CALLS + 3}"]`)
          .getByText('not done')
          .count()) > 0
      );
    });
    await page.getByLabel('Find in transcript').fill(`notes/${CALLS - 1}.txt`);
    await page.getByText(`1 of ${CALLS + 3} turns`).waitFor();
    await transcript.getByRole('link', { name: /^events/ }).click();
    await timeline().getByRole('button', { expanded: true }).waitFor();
  });

  test('the case matrix leads to the case, and its answer to the attempt', async () => {
    const { page } = visitor;
    await visitor.open(`/runs/${runId}/matrix`);
    await page.getByRole('region', { name: 'Case matrix' }).getByRole('link').first().click();
    await page.waitForURL(`**/runs/${runId}/cases/one*`);
    await page.getByText('expected done, got "not done"').waitFor();
    await page.getByRole('link', { name: /^Transcript/ }).click();
    await page.waitForURL(`**${attempt}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await visitor.settle();
  });

  test('the replay is kept when failures are retried from the page, and the run shows the retry', async () => {
    const { page } = visitor;
    await visitor.open(`/runs/${runId}`);
    await page.getByRole('button', { name: 'Retry failed attempts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Retry failed attempts?' });
    await dialog.getByRole('button', { name: 'Retry failed attempts' }).click();
    // The dialog has the same words, and closes when the retry was accepted.
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('selective retry', { exact: true }).waitFor();
    await visitor.open(address);
    await page.getByText('delivery 2').waitFor({ timeout: 100_000 });
  });
});

async function stepsOf({ client }: WebFixture, attemptId: string): Promise<ReplayStep[]> {
  const steps: ReplayStep[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 200, ...(cursor !== undefined && { cursor }) };
    const page = await client.call(routes.attempts.replay, { params: { attempt_id: attemptId }, query });
    steps.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return steps;
}

async function expectShown(line: Locator, step: ReplayStep | undefined): Promise<void> {
  await line.waitFor();
  expect(await line.getByRole('button').first().textContent()).toContain(`${step?.number}${step?.type}`);
}
