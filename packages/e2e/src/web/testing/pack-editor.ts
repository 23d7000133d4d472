import { waitFor } from '@agentclash/testkit';
import type { Page } from 'playwright-core';

/** Replaces what is in the editor; again, should the keys have come before the editor listened. */
export async function writePack(page: Page, text: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'Challenge pack, YAML' });
  // The cursor is at the end, and only what is near it is sure to be drawn.
  const end = text.trimEnd().slice(-5);
  await waitFor(
    async () => {
      await editor.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.insertText(text);
      return (await editor.textContent())?.includes(end);
    },
    { intervalMs: 1_000 },
  );
}
