import { describe, expect, test } from '@jest/globals';
import { isPlainHttpToPublicHost } from './plain-http.js';

describe('a secret over plain http', () => {
  test.each([
    'http://api.example.com/',
    'HTTP://API.Example.com/v1/${path:id}',
    'http://8.8.8.8/',
    'http://172.32.0.1/',
    'http://127.0.0.1@collector.example.com/',
    'http://[2606:4700::1111]/',
    'http://notlocal.example/',
  ])('a secret over plain http to a public host is detected: %s', (url) => {
    expect(isPlainHttpToPublicHost(url)).toBe(true);
  });

  test.each([
    'https://api.example.com/',
    'http://127.0.0.1:8377/stock/${path:sku}',
    'http://0x7f.1/',
    'http://10.1.2.3/',
    'http://172.31.0.1/',
    'http://192.168.1.1/',
    'http://[::1]:80/',
    'http://[fd00::1]/',
    'http://localhost/',
    'http://inventory/',
    'http://inventory.team.svc/',
    'http://inventory.team.svc.cluster.local./',
    'http://printer.home.arpa/',
    '${url}',
    5,
    undefined,
  ])('the URL of plain http is not that of a public host: %s', (url) => {
    expect(isPlainHttpToPublicHost(url)).toBe(false);
  });
});
