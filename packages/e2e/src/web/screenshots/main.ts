// `pnpm screenshots [folder]`: pictures of the main screens, from races that are run for them.
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { routes } from '@agentclash/api';
import type { Page } from 'playwright-core';
import { repository } from '../../product.js';
import { atLength, capitalsAgent, twelveCapitals } from '../testing/twelve-capitals.js';
import type { Visitor } from '../testing/visitor.js';
import { WebFixture } from '../testing/web-fixture.js';

/** A picture of a screen. */
interface Shot {
  /** Of the file, without its ending. */
  name: string;
  address: string;
  theme?: 'light' | 'dark';
  /** The subject of the picture: its name for those who cannot see it. */
  shows: string;
  /** Brings the screen into the state that is to be shown. */
  prepare?: (page: Page) => Promise<void>;
}

/** The runs that the pictures show. */
interface Races {
  /** Over: agents of different quality on a coding pack. */
  coding: string;
  /** Before and after an agent was corrected. */
  before: string;
  after: string;
  /** Starts a race that takes long enough to be watched. Its id. */
  startLive: () => Promise<string>;
}

/** Every picture there is, the live race first. */
async function shotsOf({ client }: WebFixture, races: Races): Promise<Shot[]> {
  const { items } = await client.call(routes.runs.attempts, {
    params: { run_id: races.coding },
    query: { limit: 200 },
  });
  const failed = items.find(({ agent_name, passed }) => agent_name === 'hasty' && passed === false);
  const live = await races.startLive();
  const compared = `baseline=${races.before}&candidate=${races.after}`;
  return [
    { name: 'arena', address: `/runs/${live}`, shows: 'Latest results', prepare: midRace },
    { name: 'overview', address: `/runs/${races.coding}`, shows: 'Top failures', prepare: leadTested },
    { name: 'ranking-dark', address: `/runs/${races.coding}/ranking`, shows: 'Ranking', theme: 'dark' },
    { name: 'matrix', address: `/runs/${races.coding}/matrix`, shows: 'Case matrix' },
    { name: 'attempt', address: `/attempts/${failed?.id}`, shows: 'Output', prepare: turnsShown },
    { name: 'compare', address: `/compare?${compared}`, shows: 'chatty against chatty' },
  ];
}

/** When some results are in and other attempts run. */
async function midRace(page: Page): Promise<void> {
  const results = page.getByRole('region', { name: 'Latest results' }).getByRole('listitem');
  await results.nth(6).waitFor({ timeout: 120_000 });
}

async function leadTested(page: Page): Promise<void> {
  await page.getByText('Testing its lead').waitFor({ state: 'detached', timeout: 30_000 });
}

async function turnsShown(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Transcript' }).getByRole('article').nth(1).waitFor();
}

const FOLDER = path.resolve(process.argv[2] ?? path.join(repository, 'docs/images'));
const BYTES_MAX = 200_000;
const WIDTH = 1_280;
const SHOWN_MS_MAX = 60_000;

const web = await WebFixture.start();
try {
  mkdirSync(FOLDER, { recursive: true });
  for (const shot of await shotsOf(web, await race(web))) {
    const visitor = await web.visit({ width: WIDTH, theme: shot.theme ?? 'light' });
    const file = path.join(FOLDER, `${shot.name}.png`);
    await take(visitor, shot, file);
    await visitor.leave();
    const { size } = statSync(file);
    if (size > BYTES_MAX) throw new Error(`${file} has ${size} bytes; ${BYTES_MAX} at most`);
    console.log(`${file}  ${Math.round(size / 1_000)} kB`);
  }
} finally {
  await web.close();
}

async function take(visitor: Visitor, { address, shows, prepare }: Shot, file: string): Promise<void> {
  const { page } = visitor;
  await visitor.open(address);
  await page.getByRole('region', { name: shows }).first().waitFor({ timeout: SHOWN_MS_MAX });
  await prepare?.(page);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
}

async function race(web: WebFixture): Promise<Races> {
  const coding = 'small-python-tasks';
  await web.prepare(
    twelveCapitals(web.example('challenge-packs/capital-cities.yaml')),
    JSON.stringify({ deployments: [capitalsAgent('chatty', atLength)] }),
  );
  await web.product.read(
    'challenge-pack',
    'publish',
    path.join(repository, `examples/challenge-packs/${coding}.yaml`),
  );
  await web.product.read(
    'deployment',
    'create',
    '-f',
    path.join(repository, `examples/deployments/${coding}.yaml`),
  );
  const agents = ['--deployment', 'oracle', 'hasty', 'idle'];
  const words = (pack: string, name: string) => ['--pack', pack, '--name', name];
  const before = await web.race([...words('capital-cities', 'Monday'), '--deployment', 'chatty']);
  await web.deploy(JSON.stringify({ deployments: [capitalsAgent('chatty')] }));
  const after = await web.race([...words('capital-cities', 'Tuesday'), '--deployment', 'chatty']);
  return {
    before,
    after,
    coding: await web.race([...words(coding, 'Small Python tasks'), ...agents, '--repetitions', '2']),
    startLive: () =>
      web.race([...words(coding, 'Live'), ...agents, '--repetitions', '3', '--max-concurrency', '6'], {
        isFollowed: false,
      }),
  };
}
