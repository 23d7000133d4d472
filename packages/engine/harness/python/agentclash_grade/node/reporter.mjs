/** Sends the result of each test to the process that keeps them. */
import { toParent } from './channel.mjs';
import { sendFrame } from './wire.mjs';

const REASON_MAX = 500;

export default async function* report(events) {
  const names = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') names.splice(data.nesting, Number.POSITIVE_INFINITY, data.name);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { nesting, name, details = {}, skip, todo } = data;
    const isSuite = details.type === 'suite';
    const error = details.error?.cause ?? details.error;
    if (isSuite && globalThis.agentclashGrade.isCollecting) continue;
    if (isSuite && (type === 'test:pass' || details.error?.failureType === 'subtestsFailed')) continue;
    const isSkipped = (skip !== undefined && skip !== false) || (todo !== undefined && todo !== false);
    const outcome = isSkipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed';
    const reason = `${error?.message ?? ''}`.slice(0, REASON_MAX);
    const result = { name: [...names.slice(0, nesting), name].join(' > '), outcome, reason };
    sendFrame(toParent, 'T', JSON.stringify(result));
    yield '';
  }
}
