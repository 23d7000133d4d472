import { describe, expect, test } from '@jest/globals';
import { pullError } from './image-errors.js';

const IMAGE = `registry.example/team/not-found@sha256:${'0'.repeat(64)}`;

describe('The messages of runtimes about an image that cannot be pulled', () => {
  test.each([
    ['does not exist', `failed to resolve reference "${IMAGE}": ${IMAGE}: not found`],
    ['does not exist', 'manifest unknown: manifest unknown'],
    [
      'needs a login',
      'failed to authorize: failed to fetch anonymous token: unexpected status: 401 Unauthorized',
    ],
    [
      'needs a login',
      'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope',
    ],
    ['no variant for the machines', 'no match for platform in manifest: not found'],
    ['no variant for the machines', 'no matching manifest for linux/arm64 in the manifest list entries'],
    ['is damaged', 'unexpected commit digest sha256:1, expected sha256:2: failed precondition'],
  ])('an image that %s is invalid: %s', (problem, message) => {
    const error = pullError(IMAGE, { reason: 'ErrImagePull', message });
    expect(error).toMatchObject({ code: 'invalid_image', fix: expect.any(String) });
    expect(error.message).toContain(problem);
    expect(error.message).toContain(IMAGE);
    expect(String(error.cause)).toContain(message);
  });

  test.each([
    [`failed to resolve reference "${IMAGE}": dial tcp: lookup registry.example: i/o timeout`],
    ['failed with status code [manifests sha256:0]: 503 Service Unavailable'],
    ['failed with status code [manifests sha256:0]: 429 Too Many Requests'],
    [''],
  ])('a registry that does not respond may respond later, whatever the name of the image: %s', (message) => {
    expect(pullError(IMAGE, { reason: 'ErrImagePull', message })).toMatchObject({
      code: 'unavailable',
      fix: expect.stringContaining('registry'),
    });
  });

  test('states of a container without a message of the runtime are known by their names', () => {
    expect(pullError(IMAGE, { reason: 'ErrImageNeverPull' }).message).toContain('SANDBOX_PULL_POLICY');
    expect(pullError(IMAGE, { reason: 'InvalidImageName' })).toMatchObject({ code: 'invalid_image' });
  });
});
