import { describe, expect, test } from '@jest/globals';
import { withLogFields } from './log-fields.js';
import { createLogger, type LogLevel, NestLog } from './logging.js';

/** A logger, and the lines that it wrote, without their time. */
function written(level: LogLevel = 'info') {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => {
    const { time: _time, ...rest } = JSON.parse(line) as Record<string, unknown>;
    lines.push(rest);
  };
  return { lines, logger: createLogger('scoring', level, { write }) };
}

describe('a logger', () => {
  test('a logger writes one JSON object a line with the service and the ids of the current work', () => {
    const { lines, logger } = written();
    withLogFields({ run_id: 'r' }, () => logger.info({ attempt_id: 'a' }, 'attempt scored'));
    logger.info('service started');
    expect(lines).toEqual([
      { level: 30, service: 'scoring', run_id: 'r', attempt_id: 'a', msg: 'attempt scored' },
      { level: 30, service: 'scoring', msg: 'service started' },
    ]);
  });

  test('a logger accepts only declared fields, so that a fact has one key in all services', () => {
    const { lines, logger } = written();
    // @ts-expect-error: ids are in snake_case
    logger.info({ attemptId: 'a' }, 'attempt scored');
    // @ts-expect-error: declared as attempt_id
    logger.info({ attempt: 'a' }, 'attempt scored');
    // @ts-expect-error: fields without a message
    logger.info({ attempt_id: 'a' });
    expect(lines).toHaveLength(3);
  });

  test('a logger writes the lines of Nest, whose plain ones are for debugging', () => {
    const { lines, logger } = written('debug');
    const nest = new NestLog(logger);
    nest.log('Starting', 'NestFactory');
    nest.error(new RangeError('too far'), 'Server');
    nest.warn({ code: 7 }, 'Server');
    expect(lines).toEqual([
      { level: 20, service: 'scoring', context: 'NestFactory', msg: 'Starting' },
      {
        level: 50,
        service: 'scoring',
        context: 'Server',
        msg: 'too far',
        err: expect.objectContaining({ type: 'RangeError' }),
      },
      {
        level: 40,
        service: 'scoring',
        context: 'Server',
        problem: { code: 7 },
        msg: 'framework logged an object',
      },
    ]);
  });
});
