import { expect, test } from '@jest/globals';
import { isVersionSupported } from './find.js';

test.each([
  ['nats-server: v2.9.10', true],
  ['nats-server: v2.12.0-RC.1', true],
  ['nats-server: v3.0.0', true],
  ['nats-server: v2.8.4', false],
  ['nats-server: v1.14.0', false],
  ['nats: command not found', false],
])('%s is supported: %s', (printed, isSupported) => {
  expect(isVersionSupported(printed)).toBe(isSupported);
});
