import { Applied, ModelAlias, ModelAliasSpec, modelAliases } from '@agentclash/contracts';
import { queryOf } from '../list-query.js';
import { resourceRoutes } from './resource.js';

export const modelAliasRoutes = resourceRoutes({
  path: 'model-aliases',
  id: 'model_alias_id',
  writer: 'member',
  spec: ModelAliasSpec,
  resource: ModelAlias,
  changed: ModelAlias.extend({ applied: Applied }),
  query: queryOf(modelAliases.list.input, 'workspace_id'),
  list: modelAliases.list.output,
  isReferredTo: true,
  summaries: {
    create: "Make a model alias: a stable name for a provider's model",
    list: 'Model aliases, newest first',
    get: 'One model alias',
    update: 'Replace a model alias; runs keep the model they were created with',
    remove: 'Delete a model alias that no active deployment uses',
  },
});
