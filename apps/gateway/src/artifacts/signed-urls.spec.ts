import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { SignedUrls } from './signed-urls.js';

const file = { workspaceId: 'w', artifactId: 'a' };
const queryOf = (url: string) => {
  const { searchParams } = new URL(url, 'http://x');
  return { expires: Number(searchParams.get('expires')), signature: searchParams.get('signature') ?? '' };
};

describe('a signed address', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('a signed address is valid for its file until it expires', () => {
    jest.useFakeTimers({ now: 1_000_000 });
    const urls = new SignedUrls(undefined, 60);
    const query = queryOf(urls.sign(file));
    expect(() => urls.check(file, query)).not.toThrow();
    jest.setSystemTime(1_060_000);
    expect(() => urls.check(file, query)).toThrow('expired');
  });

  test('a signed address is valid for no other file, and its expiry cannot be changed', () => {
    const urls = new SignedUrls(undefined, 60);
    const query = queryOf(urls.sign(file));
    expect(() => urls.check({ ...file, artifactId: 'b' }, query)).toThrow();
    expect(() => urls.check({ ...file, workspaceId: 'v' }, query)).toThrow();
    expect(() => urls.check(file, { ...query, expires: query.expires + 1 })).toThrow();
  });

  test('a signed address is valid at every gateway with the same key, and at no other', () => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const query = queryOf(new SignedUrls(key, 60).sign(file));
    expect(() => new SignedUrls(key, 60).check(file, query)).not.toThrow();
    expect(() => new SignedUrls(undefined, 60).check(file, query)).toThrow();
  });
});
