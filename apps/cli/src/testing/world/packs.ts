import { createHash } from 'node:crypto';
import { routes } from '@agentclash/api';
import { inputSet, pack, packVersion } from '../factories.js';
import type { FakeApi } from '../fake-api.js';
import { AT, found, idOf, pageOf } from './known.js';

const easy = {
  ...inputSet('easy'),
  id: idOf(31),
  name: 'Small numbers',
  description: 'Sums below ten.\nOne of them is negative.',
};
const hard = { ...inputSet('hard'), id: idOf(32), name: 'Large numbers', case_count: 12 };

export const newest = packVersion({
  id: idOf(22),
  challenge_pack_id: idOf(20),
  version_number: 2,
  evaluation_spec_id: idOf(24),
});
const former = packVersion({
  ...{ id: idOf(21), challenge_pack_id: idOf(20), evaluation_spec_id: idOf(23) },
  lifecycle_status: 'deprecated',
});
const sums = {
  ...pack([former, newest]),
  id: idOf(20),
  description: 'Adding numbers without a calculator.',
};

const CONTENT = Buffer.from('Carry the one.\n');
const notes = {
  id: idOf(41),
  sha256: createHash('sha256').update(CONTENT).digest('hex'),
  bytes: CONTENT.length,
  name: 'notes.txt',
  media_type: 'text/plain',
  created_at: AT,
  created_by: 'ada',
};

export function offerPacks(api: FakeApi): void {
  const isSums = ({ slug, id }: typeof sums, reference = '') => slug === reference || id === reference;
  api.on(routes.packs.list, () => pageOf([sums]));
  api.on(routes.packs.get, ({ params }) =>
    found([sums], (each) => isSums(each, params.pack), 'challenge pack'),
  );
  api.on(routes.packs.publish, () => ({
    created: true,
    challenge_pack_id: sums.id,
    challenge_pack_version_id: newest.id,
    evaluation_spec_id: newest.evaluation_spec_id,
    input_set_ids: [easy.id],
    input_sets: [{ id: easy.id, key: easy.key }],
    bundle_artifact_id: idOf(42),
    version_number: 2,
    digest: `sha256:${'5'.repeat(64)}`,
    warnings: [],
  }));
  api.on(routes.versions.inputSets, () => ({ items: [easy, hard] }));
  api.on(routes.versions.setLifecycle, ({ params, body }) => ({
    ...found([former, newest], ({ id }) => id === params.version_id, 'version'),
    lifecycle_status: JSON.parse(body).lifecycle_status,
  }));
  offerArtifacts(api);
}

function offerArtifacts(api: FakeApi): void {
  const get = ({ params }: { params: Record<string, string> }) =>
    found([notes], ({ id }) => id === params.artifact_id, 'artifact');
  api.on(routes.artifacts.list, ({ query }) =>
    pageOf([notes], ({ name }) => name.includes(query.get('q') ?? '')),
  );
  api.on(routes.artifacts.upload, () => notes);
  api.on(routes.artifacts.get, (request) => ({
    ...get(request),
    content_url: `/v1/workspaces/default/artifacts/${notes.id}/content?expires=1&signature=s`,
  }));
  api.bytes(routes.artifacts.content, CONTENT);
  api.on(routes.artifacts.remove, (request) => void get(request));
}
