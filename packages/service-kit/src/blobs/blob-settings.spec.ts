import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../config.js';
import { BlobEnvironment } from './blob-settings.js';

const read = (environment: Record<string, string>) => readConfig(BlobEnvironment, environment).blobs;
const S3 = { BLOB_STORE: 's3', S3_BUCKET: 'clash' };

describe('the settings of the blob store', () => {
  test('the blob store is a folder by default', () => {
    expect(read({ BLOB_FOLDER: '/blobs', S3_BUCKET: 'unused' })).toEqual({
      kind: 'folder',
      folder: '/blobs',
    });
  });

  test('the settings of the blob store are those of AWS where no endpoint is named', () => {
    expect(read({ ...S3, AWS_REGION: 'eu-central-1' })).toMatchObject({
      region: 'eu-central-1',
      endpoint: undefined,
      forcePathStyle: false,
      credentials: undefined,
      prefix: '',
    });
  });

  test('the settings may address a compatible server by path, with keys under the prefix', () => {
    const own = {
      S3_ENDPOINT: 'http://minio:9000',
      S3_PREFIX: 'a/b',
      S3_ACCESS_KEY_ID: 'k',
      S3_SECRET_ACCESS_KEY: 's',
    };
    expect(read({ ...S3, ...own })).toMatchObject({
      endpoint: 'http://minio:9000',
      forcePathStyle: true,
      prefix: 'a/b/',
      credentials: { accessKeyId: 'k', secretAccessKey: 's' },
    });
    expect(read({ ...S3, ...own, S3_FORCE_PATH_STYLE: 'false' })).toMatchObject({ forcePathStyle: false });
  });

  test.each<[Record<string, string>, RegExp]>([
    [{}, /BLOB_FOLDER: must be/],
    [{ BLOB_STORE: 'disk' }, /BLOB_STORE: /],
    [
      { BLOB_STORE: 's3', S3_SECRET_ACCESS_KEY: 's' },
      /S3_BUCKET: [\s\S]*S3_REGION: [\s\S]*S3_ACCESS_KEY_ID: /,
    ],
    [{ ...S3, S3_ENDPOINT: 'minio:9000' }, /S3_ENDPOINT: must be an http/],
    [{ ...S3, S3_REGION: 'x', S3_ACCESS_KEY_ID: 'k' }, /S3_SECRET_ACCESS_KEY: must be set/],
    [{ ...S3, S3_REGION: 'x', S3_BUCKET: 'No Bucket', S3_PREFIX: '/x' }, /S3_BUCKET: [\s\S]*S3_PREFIX: /],
  ])('the settings %j are reported variable by variable', (environment, problems) => {
    expect(() => read(environment)).toThrow(problems);
  });
});
