import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type LogFilter, LogLines } from './log-lines.js';

const RECORDS = [
  { level: 30, time: 't1', service: 'gateway', msg: 'started', port: 7420 },
  { level: 40, time: 't2', service: 'scoring', msg: 'slow', run: 'a b' },
  { level: 50, time: 't3', service: 'gateway', msg: 'failed\u001b[2J' },
];
const TEXT = `${RECORDS.map((each) => JSON.stringify(each)).join('\n')}\npostgres ended\n`;

function read(text: string, filter: LogFilter = {}, isCut = false) {
  const lines = new LogLines(filter, { isCut });
  return [...lines.read(Buffer.from(text)), ...lines.rest()];
}

describe('the lines of a log', () => {
  test('records have their time, level, service and details; other lines are shown as they are', () => {
    expect(read(TEXT).map(({ document: _, ...record }) => record)).toEqual([
      { time: 't1', level: 'info', service: 'gateway', text: 'started port=7420' },
      { time: 't2', level: 'warn', service: 'scoring', text: 'slow run="a b"' },
      { time: 't3', level: 'error', service: 'gateway', text: 'failed\\u001b[2J' },
      { text: 'postgres ended' },
    ]);
  });

  test('a filter keeps the records of one service, of a level and above', () => {
    expect(read(TEXT, { service: 'gateway' }).map(({ time }) => time)).toEqual(['t1', 't3']);
    expect(read(TEXT, { level: 'warn' }).map(({ time }) => time)).toEqual(['t2', 't3']);
    expect(read(TEXT, { service: 'gateway', level: 'warn' }).map(({ time }) => time)).toEqual(['t3']);
  });

  test('the first line of a part of a log is left out, and the last one needs no line feed', () => {
    const cut = TEXT.slice(5).trimEnd();
    expect(read(cut, {}, true)).toHaveLength(3);
    expect(read('no line feed', {}, true)).toEqual([]);
  });

  test('records do not depend on how their bytes come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 8 }),
        fc.array(fc.nat(64), { maxLength: 8 }),
        (texts, cuts) => {
          const bytes = Buffer.from(
            texts.map((msg, at) => (at % 2 === 0 ? JSON.stringify({ msg }) : msg)).join('\n'),
          );
          const lines = new LogLines({}, { isCut: false });
          const offsets = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
          const parts = offsets.flatMap((from, at) =>
            lines.read(bytes.subarray(from, offsets[at + 1] ?? from)),
          );
          expect([...parts, ...lines.rest()]).toEqual(read(bytes.toString()));
        },
      ),
    );
  });
});
