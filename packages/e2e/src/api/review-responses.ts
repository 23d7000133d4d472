import type { ApiDriver, ApiRequest, ApiResponse } from './api-driver.js';

const DIMENSIONS = /^( +)dimensions:$/m;

interface ReviewCalls {
  /** Creates with a key, and with it again. */
  creates: (id: string, request: ApiRequest, status?: number) => Promise<ApiResponse>;
  /** Waits until the run has the status. */
  reaches: (params: { run_id: string }, status: string) => Promise<void>;
  pack: string;
  deployment_ids: readonly string[];
}

/** Gets every response that the routes of reviews declare, but errors of requests. */
export async function callReviews(
  api: ApiDriver,
  { creates, reaches, pack, deployment_ids }: ReviewCalls,
): Promise<void> {
  const voted = pack
    .replace('slug: capital-cities', 'slug: voted')
    .replace(DIMENSIONS, '$&\n$1  - {key: liked, source: human_preference}');
  const headers = { 'content-type': 'application/yaml' };
  const published = await api.expect(201, 'packs_publish', { body: voted, headers });
  const { challenge_pack_version_id } = published.body;
  const [alone = ''] = deployment_ids;
  const run_id = await raced(deployment_ids);
  const lonely = { run_id: await raced([alone]), kind: 'pairwise' };
  await api.expect(409, 'reviews_create', { body: lonely });
  const { id } = (await creates('reviews_create', { body: { run_id, kind: 'pairwise' } })).body;
  const params = { review_queue_id: id };
  for (const route of ['reviews_list', 'reviews_get', 'reviews_agreement']) {
    await api.expect(200, route, { params });
  }
  await api.expect(409, 'reviews_apply', { params });
  const { item } = (await api.expect(200, 'reviews_next', { params })).body;
  const ofItem = { ...params, item_id: item.id };
  await api.expect(200, 'reviews_item', { params: ofItem });
  await api.expect(200, 'reviews_output', { params: { ...ofItem, output: '1' } });
  await api.expect(409, 'reviews_submit', { params: ofItem, body: { version: 'other', vote: 'left' } });
  const review = { version: item.version, vote: 'left' };
  await api.expect(200, 'reviews_submit', { params: ofItem, body: review });
  await api.expect(204, 'reviews_withdraw', { params: ofItem });
  await api.expect(200, 'reviews_submit', { params: ofItem, body: review });
  await api.expect(200, 'reviews_stored', { params, query: { history: 'true' } });
  await creates('reviews_apply', { params, body: {} }, 202);

  async function raced(lanes: readonly string[]): Promise<string> {
    const body = { challenge_pack_version_id, deployment_ids: lanes };
    const started = await api.expect(201, 'runs_create', { body });
    await reaches({ run_id: started.body.id }, 'completed');
    return started.body.id;
  }
}
