import type { Browser, Page } from 'playwright-core';

export interface VisitorOptions {
  /** Where the app is served; default: the product itself. */
  url: string;
  /** Signed in with it from the start; without one the sign-in is shown. */
  token?: string;
  /** Default 1280. */
  width?: number;
  theme?: 'light' | 'dark';
}

const HEIGHT = 900;
/** Of what a stopped server leaves in the console. */
const NETWORK_NOISE = /Failed to load resource|net::ERR_/;

/** A user at a browser. Everything that goes wrong in the page is collected, for the test to check at its end. */
export class Visitor {
  private constructor(
    readonly page: Page,
    readonly url: string,
    /** Errors of scripts, violations of the page's policy, and requests to elsewhere. */
    readonly pageErrors: string[],
  ) {}

  static async arrive(browser: Browser, options: VisitorOptions): Promise<Visitor> {
    const { url, token, width = 1280, theme = 'light' } = options;
    const page = await browser.newPage({ viewport: { width, height: HEIGHT }, colorScheme: theme });
    const pageErrors: string[] = [];
    page.on('pageerror', (error) => pageErrors.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !NETWORK_NOISE.test(message.text())) pageErrors.push(message.text());
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== url && !request.url().startsWith('blob:'))
        pageErrors.push(request.url());
    });
    page.on('dialog', (dialog) => {
      pageErrors.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    if (token !== undefined) {
      await page.addInitScript({
        content: `sessionStorage.setItem('agentclash.token', ${JSON.stringify(token)})`,
      });
    }
    return new Visitor(page, url, pageErrors);
  }

  /** Opens an address of the app and waits until its screen is there. */
  async open(address: string): Promise<void> {
    await this.page.goto(`${this.url}${address}`);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
    await this.settle();
  }

  /** Types the token into the sign-in that is shown, and waits until it has opened. */
  async signIn(token: string): Promise<void> {
    await this.page.getByLabel('Token').fill(token);
    await this.page.keyboard.press('Enter');
    await this.page.getByRole('button', { name: 'account menu' }).waitFor();
    await this.settle();
  }

  /** Opens the menu of the signed-in token. */
  async openAccountMenu(): Promise<void> {
    await this.page.getByRole('button', { name: 'account menu' }).click();
  }

  async signOut(): Promise<void> {
    await this.openAccountMenu();
    await this.page.getByRole('button', { name: 'Sign out' }).click();
  }

  /** Waits until the page shows no loading notice any more. */
  async settle(): Promise<void> {
    // Not by its role: at first it is there but cannot be seen.
    const loading = this.page.locator('[role=status]').filter({ hasText: /Loading .+ …$/ });
    await loading.first().waitFor({ state: 'detached' });
  }

  async leave(): Promise<void> {
    await this.page.close();
  }
}
