import { readFileSync } from 'node:fs';
import path from 'node:path';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, StackFolder } from './product.js';
import { processIds, stackProcesses } from './testing/processes.js';

jest.setTimeout(300_000);
const SOON = { timeoutMs: 120_000, intervalMs: 200 };

describe('a stack whose executing and grading has a process of its own', () => {
  const folder = new StackFolder();
  let product: Product;
  const isReady = async () => (await product.run(['status', '--data', folder.data])).code === 0;

  beforeAll(async () => {
    product = await Product.start(folder, { STACK_PROCESSES: '2' });
  });
  afterAll(async () => {
    await product?.stop();
    folder.remove();
  });

  test('a second process that is killed is started again, with its health endpoints where they were', async () => {
    const [second, ...others] = secondOf(product.state.pid);
    expect(others).toEqual([]);
    if (second === undefined) throw new Error('there is no second process');
    process.kill(second, 'SIGKILL');
    await waitFor(() => secondOf(product.state.pid).some((pid) => pid !== second), SOON);
    await waitFor(isReady, SOON);
    const log = readFileSync(path.join(folder.data, 'agentclash.log'), 'utf8');
    expect(log).toContain('The process that executes and grades was started again');
  });

  test('a second process that lives and does not reply is started again', async () => {
    const [second] = secondOf(product.state.pid);
    if (second === undefined) throw new Error('there is no second process');
    process.kill(second, 'SIGSTOP');
    await waitFor(() => secondOf(product.state.pid).some((pid) => pid !== second), SOON);
    await waitFor(isReady, SOON);
  });

  test('a stack of two processes ends with both', async () => {
    const [second] = secondOf(product.state.pid);
    expect(await product.stop()).toMatchObject({ code: 0 });
    expect(processIds()).not.toContain(second);
  });

  test('a stack whose first process is killed leaves no process behind', async () => {
    product = await Product.start(folder, { STACK_PROCESSES: '2' });
    const [second] = secondOf(product.state.pid);
    process.kill(product.state.pid, 'SIGKILL');
    await waitFor(() => !processIds().some((pid) => pid === second), SOON);
  });
});

/** The processes of this stack that run services, without its first. */
function secondOf(first: number): number[] {
  return stackProcesses(first).slice(1);
}
