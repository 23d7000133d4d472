import { expect, test } from '@jest/globals';
import { findScreen, SCREENS } from './screens.js';

test('every screen is found at its own address, whatever its variable parts are', () => {
  for (const { path } of SCREENS) {
    const address = path.replaceAll(/:\w+/g, '01890000-0000-7000-8000-000000000001');
    expect(findScreen(address)?.path).toBe(path);
  }
});

test.each(['/', '/run', '/runs/a/b', '/attempts', '/attempts/a/scorecard/more'])(
  'the address %s shows no screen',
  (address) => {
    expect(findScreen(address)).toBeUndefined();
  },
);
