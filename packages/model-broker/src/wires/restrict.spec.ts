import type { Payload, WireKey } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { WIRES } from '../routes.js';
import type { Restricted } from './wire.js';

function removedFrom(wire: WireKey, body: Payload): { body: Payload; features: string[] } {
  const restricted = WIRES[wire].restrict(body);
  if (restricted.refused) throw new Error(`refused for ${restricted.refused.path}`);
  return { body: restricted.body, features: restricted.removed.map(({ feature }) => feature) };
}

function refusedIn(wire: WireKey, body: Payload): Restricted['refused'] {
  return WIRES[wire].restrict(body).refused;
}

const FUNCTION = { type: 'function', name: 'exec', parameters: {} };

describe('a request loses what the provider would execute', () => {
  test('an Anthropic request loses server tools, MCP servers and containers, and keeps client tools of every type', () => {
    const client = [
      { name: 'Bash', input_schema: {} },
      { type: 'custom', name: 'Write', input_schema: {} },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    ];
    const server = [
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'web_fetch_20250910', name: 'web_fetch' },
      { type: 'code_execution_20250825', name: 'code_execution' },
      { type: 'mcp_toolset', mcp_server_name: 'x' },
      { type: 'bash_20250124_and_more', name: 'bash' },
      'no object',
    ];
    const result = removedFrom('anthropic', {
      model: 'm',
      messages: [],
      tools: [...server, ...client],
      mcp_servers: [{ type: 'url', url: 'https://example.com' }],
      container: { skills: [] },
      tool_choice: { type: 'tool', name: 'web_search' },
    });
    expect(result.body).toEqual({ model: 'm', messages: [], tools: client });
    expect(result.features).toEqual([
      'mcp_servers',
      'container',
      'server tool web_search_20250305',
      'server tool web_fetch_20250910',
      'server tool code_execution_20250825',
      'server tool mcp_toolset',
      'server tool bash_20250124_and_more',
      'tool that is no object',
    ]);
  });

  test('a request of server tools only is sent without tools and without a choice among them', () => {
    expect(
      removedFrom('anthropic', { tools: [{ type: 'web_search_20250305' }], tool_choice: { type: 'any' } })
        .body,
    ).toEqual({});
    expect(removedFrom('chat', { tools: [{ type: 'web_search' }], tool_choice: 'required' }).body).toEqual(
      {},
    );
    expect(removedFrom('google', { tools: [{ googleSearch: {} }], toolConfig: {} }).body).toEqual({});
  });

  test('a Chat Completions request loses searches, stored replies and routing fields', () => {
    const tools = [{ type: 'function', function: { name: 'exec' } }];
    const { body, features } = removedFrom('chat', {
      messages: [],
      tools: [...tools, { type: 'web_search_preview' }],
      tool_choice: { type: 'web_search_preview' },
      store: true,
      web_search_options: {},
      search_parameters: { mode: 'on' },
      plugins: [{ id: 'web' }],
      models: ['another'],
      provider: { order: ['x'] },
    });
    expect(body).toEqual({ messages: [], tools });
    expect(features).toEqual([
      'store',
      'web_search_options',
      'search_parameters',
      'plugins',
      'models',
      'provider',
      'server tool web_search_preview',
    ]);
  });

  test('a Responses request loses server tools at the top, in namespaces and in additional_tools', () => {
    const { body, features } = removedFrom('responses', {
      tools: [
        FUNCTION,
        { type: 'web_search', external_web_access: true },
        { type: 'mcp', server_url: 'https://example.com' },
        { type: 'namespace', name: 'n', tools: [{ type: 'custom', name: 'exec' }, { type: 'file_search' }] },
      ],
      input: [
        { role: 'user', content: 'hello' },
        { type: 'additional_tools', tools: [{ type: 'code_interpreter' }, FUNCTION] },
      ],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search' }, FUNCTION] },
      background: true,
      store: true,
    });
    expect(body).toEqual({
      tools: [FUNCTION, { type: 'namespace', name: 'n', tools: [{ type: 'custom', name: 'exec' }] }],
      input: [
        { role: 'user', content: 'hello' },
        { type: 'additional_tools', tools: [FUNCTION] },
      ],
      tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [FUNCTION] },
    });
    expect(features).toEqual([
      'background',
      'store',
      'server tool web_search',
      'server tool mcp',
      'server tool file_search',
      'server tool code_interpreter',
    ]);
  });

  test('a tool of a Gemini request keeps only its function declarations, in either spelling', () => {
    const { body, features } = removedFrom('google', {
      contents: [],
      tools: [
        { functionDeclarations: [{ name: 'exec' }], googleSearch: {}, codeExecution: {} },
        { url_context: {} },
        { function_declarations: [{ name: 'read' }] },
      ],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' }, retrievalConfig: { latLng: {} } },
    });
    expect(body).toEqual({
      contents: [],
      tools: [{ functionDeclarations: [{ name: 'exec' }] }, { function_declarations: [{ name: 'read' }] }],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    });
    expect(features).toEqual([
      'server tool googleSearch',
      'server tool codeExecution',
      'server tool url_context',
    ]);
    expect(removedFrom('google', { tools: { google_search: {} } }).features).toEqual([
      'server tool google_search',
    ]);
  });
});

const IMAGE = 'https://example.com/secret-of-the-workspace.png';

describe('a request is refused for content that the provider would fetch or that it stores', () => {
  test.each<[WireKey, string, Payload]>([
    [
      'anthropic',
      'messages[0].content[0].source',
      { messages: [message({ type: 'image', source: { type: 'url', url: IMAGE } })] },
    ],
    [
      'anthropic',
      'messages[0].content[0].source',
      { messages: [message({ type: 'document', source: { type: 'file', file_id: 'f' } })] },
    ],
    [
      'anthropic',
      'messages[0].content[0].content[0].source',
      {
        messages: [
          message({ type: 'tool_result', content: [{ type: 'image', source: { type: 'url', url: IMAGE } }] }),
        ],
      },
    ],
    [
      'anthropic',
      'system[0].source',
      { system: [{ type: 'document', source: { type: 'url', url: IMAGE } }] },
    ],
    [
      'anthropic',
      'messages[0].content[0]',
      { messages: [message({ type: 'container_upload', file_id: 'f' })] },
    ],
    [
      'chat',
      'messages[0].content[0].image_url.url',
      { messages: [message({ type: 'image_url', image_url: { url: IMAGE } })] },
    ],
    [
      'chat',
      'messages[0].content[0].image_url',
      { messages: [message({ type: 'image_url', image_url: IMAGE })] },
    ],
    [
      'chat',
      'messages[0].content[0].file.file_id',
      { messages: [message({ type: 'file', file: { file_id: 'f' } })] },
    ],
    [
      'chat',
      'messages[0].content[0].file.file_data',
      { messages: [message({ type: 'file', file: { file_data: IMAGE } })] },
    ],
    [
      'chat',
      'messages[0].content[0].document_url',
      { messages: [message({ type: 'document_url', document_url: IMAGE })] },
    ],
    ['responses', 'previous_response_id', { previous_response_id: 'r' }],
    ['responses', 'conversation', { conversation: { id: 'c' } }],
    ['responses', 'prompt', { prompt: { id: 'p' } }],
    ['responses', 'input[0]', { input: [{ type: 'item_reference', id: 'i' }] }],
    ['responses', 'input[0]', { input: [{ id: 'i' }] }],
    [
      'responses',
      'input[0].content[0].image_url',
      { input: [message({ type: 'input_image', image_url: IMAGE })] },
    ],
    [
      'responses',
      'input[0].content[0].file_url',
      { input: [message({ type: 'input_file', file_url: IMAGE })] },
    ],
    [
      'responses',
      'input[0].output[0].image_url',
      { input: [{ type: 'function_call_output', output: [{ type: 'input_image', image_url: IMAGE }] }] },
    ],
    [
      'responses',
      'input[0].output.file_id',
      { input: [{ type: 'computer_call_output', output: { type: 'computer_screenshot', file_id: 'f' } }] },
    ],
    [
      'google',
      'contents[0].parts[0].fileData',
      { contents: [{ parts: [{ fileData: { fileUri: IMAGE } }] }] },
    ],
    [
      'google',
      'contents[0].parts[0].file_data',
      { contents: [{ parts: { file_data: { file_uri: IMAGE } } }] },
    ],
    ['google', 'cachedContent', { cachedContent: 'cachedContents/x' }],
    ['google', 'systemInstruction.parts[0].fileData', { system_instruction: { parts: [{ fileData: {} }] } }],
    [
      'google',
      'contents[0].parts[0].functionResponse.parts[0].fileData',
      { contents: [{ parts: [{ functionResponse: { parts: [{ fileData: {} }] } }] }] },
    ],
  ])('a request of %s is refused at %s', (wire, path, body) => {
    expect(refusedIn(wire, body)).toMatchObject({ path });
  });

  test.each<[WireKey, Payload]>([
    ['anthropic', { messages: [message({ type: 'image', source: { type: 'base64', data: 'AAAA' } })] }],
    // The arguments of a call are the agent's data.
    ['anthropic', { messages: [message({ type: 'tool_use', input: { source: { type: 'url' } } })] }],
    [
      'chat',
      { messages: [message({ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } })] },
    ],
    [
      'chat',
      { messages: [message({ type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA' } })] },
    ],
    ['responses', { input: [message({ type: 'input_image', image_url: 'data:image/png;base64,AAAA' })] }],
    [
      'responses',
      {
        input: [{ type: 'function_call', arguments: '{"image_url":"https://example.com"}' }],
        previous_response_id: null,
      },
    ],
    ['responses', { input: [{ type: 'reasoning', id: 'r', summary: [], encrypted_content: 'opaque' }] }],
    ['google', { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }] }],
  ])('inline content of %s passes unchanged', (wire, body) => {
    expect(removedFrom(wire, body)).toEqual({ body, features: [] });
  });
});

function message(part: Payload): Payload {
  return { role: 'user', content: [part] };
}

describe('every body', () => {
  const wire = fc.constantFrom<WireKey>('anthropic', 'chat', 'responses', 'google');
  const names = [
    'tools',
    'type',
    'messages',
    'content',
    'contents',
    'parts',
    'input',
    'output',
    'source',
    'url',
    'image_url',
    'file_id',
    'store',
    'tool_choice',
    'name',
    'googleSearch',
    'functionDeclarations',
    'other',
  ];
  const values = ['function', 'custom', 'namespace', 'web_search', 'additional_tools', 'url', IMAGE, 'auto'];
  const { tree } = fc.letrec<{ tree: unknown; leaf: unknown; list: unknown; object: unknown }>((tie) => ({
    leaf: fc.oneof(fc.constantFrom(...values), fc.integer(), fc.boolean(), fc.constant(null)),
    list: fc.array(tie('tree'), { maxLength: 4 }),
    object: fc.dictionary(fc.constantFrom(...names), tie('tree'), { maxKeys: 5 }),
    tree: fc.oneof({ maxDepth: 6 }, tie('leaf'), tie('list'), tie('object')),
  }));
  const body = fc.dictionary(fc.constantFrom(...names), tree, { maxKeys: 8 });

  test('restricting is total, leaves its input as it was, and finds nothing the second time', () => {
    fc.assert(
      fc.property(wire, body, (key, value) => {
        const before = JSON.stringify(value);
        const once = WIRES[key].restrict(value);
        expect(JSON.stringify(value)).toBe(before);
        if (once.refused) return expect(WIRES[key].restrict(value).refused).toEqual(once.refused);
        expect(WIRES[key].restrict(once.body)).toEqual({ body: once.body, removed: [] });
      }),
      { numRuns: 2_000 },
    );
  });

  test('reading a conversation and the head of a call is total', () => {
    fc.assert(
      fc.property(wire, body, (key, value) => {
        const { messages, tools } = WIRES[key].conversation(value);
        expect(messages.every(({ role }) => typeof role === 'string')).toBe(true);
        expect(tools.every((tool) => typeof tool === 'string')).toBe(true);
        expect(WIRES[key].head(value, {}).replies).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 1_000 },
    );
  });

  test('unknown fields pass, with the model renamed', () => {
    fc.assert(
      fc.property(wire, fc.dictionary(fc.stringMatching(/^x_[a-z]{1,8}$/), fc.jsonValue()), (key, extra) => {
        const { body: kept } = removedFrom(key, { ...extra, messages: [] });
        expect(WIRES[key].outgoing(kept, 'real')).toMatchObject(extra);
      }),
    );
  });
});
