import type { Page } from 'playwright-core';

export interface WantedRace {
  name: string;
  deployments: readonly string[];
  /** Keys; default: what is chosen, at first all cases. */
  cases?: readonly string[];
  repetitions?: number;
  /** As shown; default: the one that is chosen. */
  version?: string;
  maxConcurrency?: number;
  /** True for a race that ends as soon as its verdict is known. */
  isDecided?: boolean;
}

/** Makes a deployment on the screen of deployments, from its spec. */
export async function deployByHand(page: Page, spec: { name: string }): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Deployments' }).click();
  await page.getByRole('button', { name: 'New deployment' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: 'YAML' }).click();
  await dialog.getByLabel('Spec', { exact: true }).fill(JSON.stringify(spec));
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('rowheader', { name: spec.name }).waitFor();
}

/** Fills in the form that starts a run, which is shown, watches the race to its end, and gives the run's id. */
export async function raceByHand(page: Page, race: WantedRace): Promise<string> {
  const { name, deployments, cases, repetitions = 1, version, maxConcurrency, isDecided = false } = race;
  await page.getByRole('heading', { level: 1, name: 'Start a run' }).waitFor();
  if (version !== undefined) await page.getByLabel('Pack and version').selectOption({ label: version });
  for (const deployment of deployments) await page.getByLabel(deployment).check();
  await page.getByLabel('Name (optional)').fill(name);
  if (cases !== undefined) await page.getByLabel('Cases (optional)').fill(cases.join('\n'));
  await page.getByLabel('Repetitions').fill(String(repetitions));
  if (maxConcurrency !== undefined)
    await page.getByLabel('Max concurrency (optional)').fill(String(maxConcurrency));
  if (isDecided) await page.getByLabel('Stop as soon as the verdict is known').check();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  // The arena opens by itself only where the page reads the run before the race has ended.
  await page.getByRole('link', { name: 'Arena', exact: true }).click();
  await page.getByText('The race has ended.').waitFor({ timeout: 90_000 });
  await page.getByText('completed', { exact: true }).first().waitFor({ timeout: 30_000 });
  return new URL(page.url()).pathname.split('/')[2] ?? '';
}
