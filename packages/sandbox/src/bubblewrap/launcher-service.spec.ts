import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeLaunch, type LaunchReport, ReportDecoder } from './launcher-service.js';
import { processEnd } from './sandbox-process.js';

function encoded({ number, status, stderr }: LaunchReport): Buffer {
  const text = Buffer.from(stderr);
  const header = Buffer.alloc(12);
  [text.length, number, status].forEach((value, index) => {
    header.writeUInt32LE(value, index * 4);
  });
  return Buffer.concat([header, text]);
}

describe('what the launcher reports', () => {
  const number = fc.nat(0xffff_ffff);
  const report = fc.record({ number, status: number, stderr: fc.string({ unit: 'grapheme' }) });

  test('a report of the launcher arrives whole, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(report), fc.integer({ min: 1, max: 40 }), (reports, piece) => {
        const bytes = Buffer.concat(reports.map(encoded));
        const decoder = new ReportDecoder();
        const received: LaunchReport[] = [];
        for (let at = 0; at < bytes.length; at += piece)
          received.push(...decoder.push(bytes.subarray(at, at + piece)));
        expect(received).toEqual(reports);
      }),
    );
  });

  test('a report of the launcher is an exit code or a signal', () => {
    expect(processEnd(41 << 8, 'why')).toEqual({ exitCode: 41, signal: null, stderr: 'why' });
    expect(processEnd(0, '')).toEqual({ exitCode: 0, signal: null, stderr: '' });
    expect(processEnd(9, '')).toEqual({ exitCode: null, signal: 'SIGKILL', stderr: '' });
    expect(processEnd(11 | 0x80, '')).toEqual({ exitCode: null, signal: 'SIGSEGV', stderr: '' });
  });
});

test('a request names its process by number, and ends every argument', () => {
  const bytes = encodeLaunch(7, ['--', '/bin/true']);
  expect([bytes.readUInt32LE(0), bytes.readUInt32LE(4)]).toEqual([13, 7]);
  expect(bytes.toString('latin1', 8)).toBe('--\0/bin/true\0');
});
