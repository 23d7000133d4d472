import { describe, expect, test } from '@jest/globals';
import {
  failedCallText,
  listedServerText,
  refusedCallText,
  restrictedCallText,
} from './program-call-texts.js';

describe('The text of a model call of a program', () => {
  test('The text of a refused request names the reason, the feature and how often', () => {
    expect(refusedCallText({ reason: 'limit' })).toBe(
      'The broker refused a request beyond a limit of the attempt.',
    );
    const feature = { reason: 'server_feature', feature: 'image by URL', path: 'messages[0].content[1]' };
    expect(refusedCallText({ ...feature, count: 12 })).toBe(
      'The broker refused a request for a feature that the provider would execute itself: image by URL at messages[0].content[1], and 12 more like it.',
    );
    expect(refusedCallText({ reason: 'of_a_newer_release' })).toContain('of_a_newer_release');
  });

  test('The text of a restricted request names every part that was removed', () => {
    const removed = [
      { path: 'tools[0]', feature: 'server tool web_search' },
      { path: 'store', feature: 'store' },
    ];
    expect(restrictedCallText({ removed })).toBe(
      'Removed from the request, since the provider would execute it itself: server tool web_search at tools[0], store at store.',
    );
  });

  test('The text of a failed call names the model, the status and whose error it is', () => {
    const failed = { model: 'gpt-5', status: 429, class: 'rate_limit', tries: 3, message: 'too many calls' };
    expect(failedCallText(failed)).toBe(
      'The call of gpt-5 failed (status 429, rate_limit, 3 tries): too many calls.',
    );
    expect(failedCallText({ ...failed, caused_by_request: true })).toMatch(/passed to the program\.$/);
    expect(failedCallText({ class: 'cancelled' })).toBe('The call failed (cancelled).');
  });
});

describe('The tools of an MCP server', () => {
  test('A list names its tools, or the kind that the policy does not admit', () => {
    const tools = [{ name: 'add' }, { name: 'search' }];
    expect(listedServerText({ server: 'math', tools })).toBe('The server math lists add, search.');
    expect(listedServerText({ server: 'math', tools: [] })).toBe('The server math lists no tools.');
    expect(listedServerText({ server: 'tickets', tools: [], not_admitted: 'network' })).toBe(
      'The policy does not admit the server tickets: it needs the kind network.',
    );
  });
});
