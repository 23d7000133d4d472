import { expect, test } from '@jest/globals';
import { environmentOf } from './pod-images.js';

const of = (...pairs: string[]) => environmentOf(Buffer.from(pairs.map((pair) => `${pair}\0`).join('')));

test('the environment of an image is that of its containers without what the cluster adds', () => {
  expect(
    of('PATH=/opt/bin', 'A=b=c', 'LINES=one\ntwo', 'HOSTNAME=sandbox', 'KUBERNETES_SERVICE_HOST=10.96.0.1'),
  ).toEqual({ PATH: '/opt/bin', A: 'b=c', LINES: 'one\ntwo' });
});

test('a home that a runtime sets for root is not that of the image, and any other is', () => {
  expect(of('HOME=/root')).toEqual({});
  expect(of('HOME=/')).toEqual({});
  expect(of('HOME=/srv/app')).toEqual({ HOME: '/srv/app' });
});
