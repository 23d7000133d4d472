import { expect, test } from '@jest/globals';
import { loadError, pullError } from './pull-errors.js';

const IMAGE = 'not-found.example/denied@sha256:0';

test.each([
  [
    'manifest for x@sha256:0 not found: manifest unknown: manifest unknown',
    'invalid_image',
    'does not exist',
  ],
  [
    "pull access denied for x, repository does not exist or may require 'docker login'",
    'invalid_image',
    'login',
  ],
  ['no matching manifest for linux/amd64 in the manifest list entries', 'invalid_image', 'no variant'],
  ['filesystem layer verification failed for digest sha256:0', 'invalid_image', 'damaged'],
  [
    'failed to register layer: Error processing tar file(exit status 1): open /l/x: no such file or directory',
    'invalid_image',
    'damaged',
  ],
  [
    'failed to register layer: Error processing tar file(exit status 1): write /x: input/output error',
    'unavailable',
    'cannot be pulled now',
  ],
  [
    'failed to register layer: Error processing tar file(signal: killed): ',
    'unavailable',
    'cannot be pulled now',
  ],
  ['failed to register layer: max depth exceeded', 'invalid_image', 'more layers'],
  ['failed to register layer: write /x: no space left on device', 'unavailable', 'no space left'],
  ['Get "https://x/v2/": dial tcp: lookup x: no such host', 'unavailable', 'cannot be pulled now'],
  ['filesystem layer sha256:5404a: received 503 Service Unavailable', 'unavailable', 'cannot be pulled now'],
  ['received unexpected HTTP status: 503 Service Unavailable', 'unavailable', 'cannot be pulled now'],
  [`something about ${IMAGE}`, 'unavailable', 'cannot be pulled now'],
])('"%s" is %s, "%s", with the name of the image and the next step', (reason, code, problem) => {
  const error = pullError(IMAGE, reason);
  expect(error).toMatchObject({ code, fix: expect.any(String) });
  expect(error.message).toContain(problem);
  expect(error.message).toContain(IMAGE);
});

test.each([
  [
    'Error processing tar file(exit status 1): link /etc/shadow /h: no such file or directory',
    'invalid_image',
  ],
  ['Error processing tar file(exit status 1): write /x: no space left on device', 'unavailable'],
  ['Error processing tar file(exit status 1): write /x: cannot allocate memory', 'unavailable'],
])('an archive that the daemon does not take with "%s" is %s', (reason, code) => {
  const error = loadError(IMAGE, reason);
  expect(error).toMatchObject({ code, fix: expect.any(String) });
  expect(error.message).toContain(IMAGE);
});
