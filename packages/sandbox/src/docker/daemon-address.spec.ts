import { expect, test } from '@jest/globals';
import { daemonAddress } from './daemon-address.js';

test.each([
  ['unix:///run/user/1000/docker.sock', { socketPath: '/run/user/1000/docker.sock' }],
  ['npipe:////./pipe/docker_engine', { socketPath: '\\\\.\\pipe\\docker_engine' }],
  ['tcp://10.0.0.1:4000', { host: '10.0.0.1', port: 4000 }],
  ['tcp://[::1]', { host: '::1', port: 2375 }],
  ['https://docker.example', { host: 'docker.example', port: 2376, tls: expect.any(Object) }],
])('DOCKER_HOST=%s is an address of a daemon', (url, address) => {
  expect(daemonAddress({ DOCKER_HOST: url })).toEqual({ url, ...address });
});

test('without DOCKER_HOST it is the named pipe on Windows and a socket elsewhere', () => {
  expect(daemonAddress({}, 'win32').socketPath).toBe('\\\\.\\pipe\\docker_engine');
  expect(daemonAddress({}, 'linux').url).toMatch(/^unix:\/\/\/.*docker\.sock$/);
});

test('DOCKER_TLS_VERIFY makes a connection encrypted', () => {
  const given = { DOCKER_HOST: 'tcp://host', DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: '/absent' };
  expect(daemonAddress(given)).toMatchObject({ port: 2376, tls: {} });
});

test.each(['ssh://host', 'tcp://:::', 'tcp://host:99999', '/var/run/docker.sock'])(
  'DOCKER_HOST=%s is refused with the forms that there are',
  (url) => {
    expect(() => daemonAddress({ DOCKER_HOST: url })).toThrow(
      expect.objectContaining({ code: 'unavailable', message: expect.stringContaining(url) }),
    );
  },
);
