import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { SEARCH_LIMITS, type SearchLimits, WorkspaceSearch } from '@agentclash/run-scoring';
import { tarOf } from '@agentclash/run-scoring/testing/tar';
import { Blobs, openArchive, putArchive } from '@agentclash/service-kit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const SECRET = 'canary-4711-value';
const VALUES = [{ value: SECRET }];

describe('the search of stored workspaces', () => {
  let folder: string;
  let blobs: Blobs;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'agentclash-search-'));
    blobs = await Blobs.inFolder(folder);
  });
  afterAll(async () => {
    await Promise.all(searches.map((search) => search.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  const archives = { open: (sha256: string) => openArchive(blobs.evidence, sha256) };
  const searches: WorkspaceSearch[] = [];
  const searching = (limits: Partial<SearchLimits> = {}) => {
    const search = new WorkspaceSearch(archives, { ...SEARCH_LIMITS, threads: 2, ...limits });
    searches.push(search);
    return search;
  };

  test('the search of a workspace finds the files that hold a planted value', async () => {
    const snapshot = await blobs.evidence.put(
      tarOf([
        { path: 'workspace/large', content: 'x'.repeat(5_000_000) },
        { path: 'workspace/copy', content: `x${SECRET}x` },
      ]),
    );
    expect(await searching().find(VALUES, snapshot)).toEqual({
      files: [{ path: '/workspace/copy', text: SECRET }],
    });
  });

  test('a workspace that is stored compressed is searched', async () => {
    const archive = Readable.from([tarOf([{ path: 'workspace/copy', content: `x${SECRET}x` }])]);
    const snapshot = await putArchive(blobs.evidence, archive);
    expect((await blobs.evidence.get(snapshot.sha256)).includes(SECRET)).toBe(false);
    expect(await searching().find(VALUES, snapshot)).toEqual({
      files: [{ path: '/workspace/copy', text: SECRET }],
    });
  });

  test('a workspace beyond the limits is hidden, and one that takes too long or is not stored is unsearched', async () => {
    const snapshot = await blobs.evidence.put(
      tarOf([{ path: 'workspace/a', content: 'x'.repeat(3_000_000) }]),
    );
    expect(await searching({ bytesMax: 1_000_000 }).find(VALUES, snapshot)).toEqual({ hidden: 'too_large' });
    expect(await searching({ entriesMax: 0 }).find(VALUES, snapshot)).toEqual({ hidden: 'too_many' });
    expect(await searching({ timeMs: 0 }).find(VALUES, snapshot)).toEqual({ unsearched: true });
    const gone = { sha256: '0'.repeat(64), bytes: 1 };
    expect(await searching().find(VALUES, gone)).toEqual({ unsearched: true });
  });

  test('one thread searches workspaces one after the other', async () => {
    const snapshots = await Promise.all(
      ['a', 'b', 'c'].map((name) => blobs.evidence.put(tarOf([{ path: name, content: SECRET }]))),
    );
    const search = searching({ threads: 1 });
    const found = await Promise.all(snapshots.map((snapshot) => search.find(VALUES, snapshot)));
    expect(found).toEqual(['a', 'b', 'c'].map((name) => ({ files: [{ path: `/${name}`, text: SECRET }] })));
  });
});
