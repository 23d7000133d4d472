import { ConfigValue, isMap } from './config-value.js';
import type { PromptfooContext } from './context.js';

/** The accounts, models and deployments that providers become, as a file for `agentclash apply`. */
export interface PackDeployments {
  provider_accounts: Record<string, unknown>[];
  model_aliases: Record<string, unknown>[];
  deployments: Record<string, unknown>[];
}

export interface ModelOfProvider {
  provider: string;
  model: string;
}

/** Kinds of endpoint that a provider's id may name between provider and model. */
const ENDPOINTS = new Set(['chat', 'completion', 'responses', 'messages']);

const KNOWN: Readonly<Record<string, { provider: string; baseUrl?: string }>> = {
  openai: { provider: 'openai' },
  anthropic: { provider: 'anthropic' },
  google: { provider: 'google' },
  mistral: { provider: 'mistral' },
  xai: { provider: 'xai' },
  openrouter: { provider: 'openrouter' },
  ollama: { provider: 'openai_compatible', baseUrl: 'http://127.0.0.1:11434/v1' },
};

/** `openai:chat:gpt-5-mini` and such; undefined for what is no model of a known provider. */
export function modelOf(id: string): ModelOfProvider | undefined {
  const [name = '', ...rest] = id.split(':');
  const [endpoint = '', ...below] = rest;
  const model = (ENDPOINTS.has(endpoint) ? below : rest).join(':');
  const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
  // `openai:embedding:…`, `openai:assistant:…` and `openai:realtime:…` are not chats.
  const isChat =
    !/^(?:embeddings?|assistant|realtime|image|moderation|video|audio|speech|agents|codex.*):/.test(
      rest.join(':'),
    );
  if (known === undefined || model === '' || !isChat || !/^[\w./:@-]+$/.test(model)) return undefined;
  return { provider: known.provider, model };
}

export function deploymentsOf(context: PromptfooContext, root: ConfigValue): PackDeployments {
  const found = new Deployments(context);
  for (const key of ['providers', 'targets']) {
    const at = root.at(key);
    if (at.isAbsent()) continue;
    const entries = typeof at.value === 'string' ? [at] : isMap(at.value) ? [at] : at.list();
    for (const entry of entries) found.add(entry);
  }
  return found;
}

class Deployments implements PackDeployments {
  readonly provider_accounts: Record<string, unknown>[] = [];
  readonly model_aliases: Record<string, unknown>[] = [];
  readonly deployments: Record<string, unknown>[] = [];
  readonly #names = new Set<string>();

  constructor(private readonly context: PromptfooContext) {}

  add(at: ConfigValue): void {
    const { id, label, config } = providerOf(at);
    const model = modelOf(id);
    const { losses } = this.context;
    if (model === undefined) {
      losses.dropped(at.file, at.path, droppedReason(id));
      return;
    }
    this.#account(id, model.provider);
    const name = this.#nameOf(label ?? model.model);
    this.model_aliases.push({ name, provider_account: accountOf(id), model: model.model });
    const sampling = this.#sampling(config);
    this.deployments.push({
      name,
      kind: 'model',
      config: { model_alias: name, ...(Object.keys(sampling).length > 0 && { sampling }) },
    });
    losses.carried(at.file, at.path, `the deployment ${name} in deployments.yaml`);
  }

  #account(id: string, provider: string): void {
    const name = accountOf(id);
    if (this.provider_accounts.some((account) => account.name === name)) return;
    const { baseUrl } = KNOWN[name] ?? {};
    const secret = `${name.toUpperCase()}_API_KEY`;
    this.provider_accounts.push({
      name,
      provider_key: provider,
      ...(baseUrl === undefined
        ? { credential_reference: `workspace-secret://${secret}` }
        : { base_url: baseUrl }),
    });
  }

  #nameOf(text: string): string {
    const base = text.replace(/[^A-Za-z0-9_.-]+/g, '-').slice(0, 60) || 'agent';
    let name = base;
    for (let count = 2; this.#names.has(name); count += 1) name = `${base}-${count}`;
    this.#names.add(name);
    return name;
  }

  #sampling(config: ConfigValue): Record<string, unknown> {
    const sampling: Record<string, unknown> = {};
    const { losses } = this.context;
    for (const key of config.keys()) {
      const at = config.at(key);
      const name = SAMPLING[key];
      if (name !== undefined && (typeof at.value === 'number' || typeof at.value === 'string')) {
        sampling[name] = at.value;
        losses.carried(at.file, at.commonPath, `sampling.${name}`);
      } else {
        const isKey = /key|token|secret/i.test(key) && !/^max/i.test(key);
        losses.dropped(
          at.file,
          at.commonPath,
          isKey
            ? 'keys are secrets of a workspace: agentclash secret set'
            : 'a deployment has no such setting',
        );
      }
    }
    return sampling;
  }
}

const SAMPLING: Readonly<Partial<Record<string, string>>> = {
  temperature: 'temperature',
  top_p: 'top_p',
  seed: 'seed',
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  max_output_tokens: 'max_output_tokens',
  reasoning_effort: 'reasoning_effort',
};

function accountOf(id: string): string {
  return id.split(':')[0] ?? id;
}

/** The forms: an id, a map with an id, and a map from an id to its settings. */
function providerOf(at: ConfigValue): { id: string; label?: string; config: ConfigValue } {
  const nothing = at.with({});
  if (typeof at.value === 'string') return { id: at.value, config: nothing };
  const { id, label } = at.map();
  const isKeyed = id === undefined && Object.keys(at.map()).length === 1;
  const key = isKeyed ? (Object.keys(at.map())[0] ?? '') : '';
  const own = isKeyed ? at.at(key) : at;
  const name = isKeyed ? key : at.at('id').text();
  const config = own.isAbsent() ? nothing : own.at('config');
  return {
    id: name,
    ...(typeof label === 'string' && { label }),
    config: config.isAbsent() ? nothing : config,
  };
}

function droppedReason(id: string): string {
  if (id === 'echo') return 'no agent returns its prompt';
  if (/^(?:https?|websocket)\b/.test(id))
    return 'an endpoint of AgentClash has a protocol of its own: docs/agents.md';
  if (/^(?:file|exec|python|package)\b/.test(id))
    return 'providers in code are not run: write a program or an endpoint';
  return 'no model provider of this name is known';
}
