import { routes } from '@agentclash/api';
import type { Page } from 'playwright-core';
import type { WebFixture } from '../testing/web-fixture.js';

/** A picture of a screen. */
export interface Shot {
  /** Of the file, without its ending. */
  name: string;
  address: string;
  theme?: 'light' | 'dark';
  /** What the picture is of, by its name for those who cannot see it. */
  shows: string;
  /** What brings the screen into the state that is to be shown. */
  prepare?: (page: Page) => Promise<void>;
}

/** The runs that the pictures show. */
export interface Races {
  /** Over: agents of different quality on a coding pack. */
  coding: string;
  /** Before and after an agent was corrected. */
  before: string;
  after: string;
  /** Starts a race that takes long enough to be watched. Its id. */
  startLive: () => Promise<string>;
}

/** Every picture there is, the live race first. */
export async function shotsOf({ client }: WebFixture, races: Races): Promise<Shot[]> {
  const { items } = await client.call(routes.runs.attempts, {
    params: { run_id: races.coding },
    query: { limit: 200 },
  });
  const failed = items.find(({ agent_name, passed }) => agent_name === 'hasty' && passed === false);
  const live = await races.startLive();
  const compared = `baseline=${races.before}&candidate=${races.after}`;
  return [
    { name: 'arena', address: `/runs/${live}`, shows: 'Latest results', prepare: midRace },
    { name: 'ranking', address: `/runs/${races.coding}/ranking`, shows: 'Ranking' },
    { name: 'ranking-dark', address: `/runs/${races.coding}/ranking`, shows: 'Ranking', theme: 'dark' },
    { name: 'matrix', address: `/runs/${races.coding}/matrix`, shows: 'Case matrix' },
    { name: 'replay', address: `/attempts/${failed?.id}`, shows: 'Timeline', prepare: openFirstCall },
    { name: 'compare', address: `/compare?${compared}`, shows: 'chatty against chatty' },
    { name: 'packs', address: '/packs', shows: 'packs' },
  ];
}

/** When some have landed and others are at work. */
async function midRace(page: Page): Promise<void> {
  const landed = page.getByRole('region', { name: 'Latest results' }).getByRole('listitem');
  await landed.nth(6).waitFor({ timeout: 120_000 });
}

async function openFirstCall(page: Page): Promise<void> {
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const command = timeline.getByRole('button').filter({ hasText: 'sandbox.command' });
  await command.first().click();
}
