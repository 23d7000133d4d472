import type { ApiDriver, ApiRequest, ApiResponse } from './api-driver.js';

/** Gets every response that the routes of links to a run declare, but errors of requests. */
export async function callShares(
  api: ApiDriver,
  creates: (id: string, request: ApiRequest) => Promise<ApiResponse>,
  run_id: string,
): Promise<void> {
  const { id: share_id } = (await creates('shares_create', { params: { run_id }, body: {} })).body;
  await api.expect(200, 'shares_list', { params: { run_id } });
  await api.expect(204, 'shares_revoke', { params: { run_id, share_id } });
}
