import { type Browser, Visitor } from '@agentclash/e2e';
import { APPEARANCE, type Appearance, type ClockReading, pageClock, READING, SHOWN } from './page-clock.js';

const MIB = 1024 * 1024;
const SHOWN_MS_MAX = 120_000;

export interface PageRequest {
  browser: Browser;
  url: string;
  token: string;
  address: string;
  /** A selector of what the screen is for: its presence ends the wait. */
  selector: string;
}

/** A page in a browser without any cache, with a clock in it. */
export class MeasuredPage {
  private constructor(
    readonly visitor: Visitor,
    readonly appearance: Appearance,
  ) {}

  /** Opens the address and waits for the selector. */
  static async open({ browser, url, token, address, selector }: PageRequest): Promise<MeasuredPage> {
    const visitor = await Visitor.arrive(browser, { url, token });
    const { page } = visitor;
    await page.addInitScript({ content: pageClock(selector) });
    await page.goto(`${url}${address}`);
    await page.locator(SHOWN).waitFor({ state: 'attached', timeout: SHOWN_MS_MAX });
    return new MeasuredPage(visitor, await page.evaluate<Appearance>(APPEARANCE));
  }

  /** The readings of the clock since it was last read, or since the page was opened. */
  async read(): Promise<ClockReading> {
    return await this.visitor.page.evaluate<ClockReading>(READING);
  }

  /** The worst delay among what is done with the page, in milliseconds. */
  async worstDelay(act: (visitor: Visitor) => Promise<void>): Promise<number> {
    await this.read();
    await act(this.visitor);
    // An input's delay is known when the frame that reacts to it has been painted, and reported a moment later.
    await this.visitor.page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestIdleCallback(() => setTimeout(done, 0))))',
    );
    return (await this.read()).worstDelayMs;
  }

  /** The memory of its scripts once the garbage is collected, in MiB. */
  async heapMib(): Promise<number> {
    const session = await this.visitor.page.context().newCDPSession(this.visitor.page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    await session.detach();
    return usedSize / MIB;
  }

  /** Throws when anything went wrong in the page. */
  async leave(): Promise<void> {
    await this.visitor.leave();
    const [pageError] = this.visitor.pageErrors;
    if (pageError !== undefined) throw new Error(`the page had an error: ${pageError}`);
  }
}
