import { Bus } from '@agentclash/bus';
import {
  ContractError,
  type FieldProblem,
  type In,
  packs,
  type RunOrder,
  type runs,
} from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';

type RunRequest = In<typeof runs.create>['request'];

/** Turns the pack and input set that an order names into ids; deployments are named in both. */
@Injectable()
export class RequestNames {
  constructor(private readonly bus: Bus) {}

  /** Fails with `not_found` for what the workspace does not have. */
  async requestOf(order: RunOrder): Promise<RunRequest> {
    const {
      request_id: _request,
      requested_by: _by,
      workspace_id: workspace,
      challenge_pack,
      challenge_pack_version_id,
      deployment_ids,
      input_set,
      ...options
    } = order;
    const version_id = challenge_pack
      ? await this.versionId(workspace, challenge_pack)
      : challenge_pack_version_id;
    return {
      ...options,
      challenge_pack_version_id: version_id ?? '',
      deployment_ids: deployment_ids ?? [],
      ...(input_set !== undefined && {
        challenge_input_set_id: await this.inputSetId(workspace, version_id ?? '', input_set),
      }),
    };
  }

  private async versionId(
    workspace_id: string,
    { slug, version }: NonNullable<RunOrder['challenge_pack']>,
  ): Promise<string> {
    const { versions } = await this.bus.call(packs.get, { workspace_id, pack: slug });
    const newestFirst = versions.toSorted((a, b) => b.version_number - a.version_number);
    const found = newestFirst.find(({ version_number, lifecycle_status }) =>
      version === undefined ? lifecycle_status === 'runnable' : version_number === version,
    );
    if (found) return found.id;
    const what = version === undefined ? 'no version that is runnable' : `no version ${version}`;
    throw missing(`The challenge pack "${slug}" has ${what}.`, {
      field: 'challenge_pack',
      message: `has ${what}`,
    });
  }

  private async inputSetId(workspace_id: string, version_id: string, key: string): Promise<string> {
    const { items } = await this.bus.call(packs.inputSets, { workspace_id, version_id });
    const found = items.find((set) => set.key === key);
    if (found) return found.id;
    const keys = items.map((set) => set.key).join(', ');
    const message = keys === '' ? 'is none: the version has no input sets' : `is none of ${keys}`;
    throw missing(`The version has no input set "${key}".`, { field: 'input_set', message });
  }
}

function missing(text: string, problem: Pick<FieldProblem, 'field' | 'message'>): ContractError {
  return new ContractError('not_found', text, { errors: [{ code: 'not_found', ...problem }] });
}
