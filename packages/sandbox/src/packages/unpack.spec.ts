import { expect, test } from '@jest/globals';
import { alternativesIn } from './unpack.js';

test('alternatives that a script would register are read from it, over line breaks, with their dependent links', () => {
  const script = `#!/bin/sh
set -e
if [ "$1" = "configure" ]; then
        update-alternatives --install /usr/bin/awk awk /usr/bin/mawk 5 \\
            --slave /usr/share/man/man1/awk.1.gz awk.1.gz /usr/share/man/man1/mawk.1.gz
fi
update-alternatives --quiet --install /usr/lib/libblas.so.3 \\
                    libblas.so.3 /usr/lib/blas/libblas.so.3 10
`;
  expect(alternativesIn(script)).toEqual([
    { link: '/usr/bin/awk', target: '/usr/bin/mawk' },
    { link: '/usr/share/man/man1/awk.1.gz', target: '/usr/share/man/man1/mawk.1.gz' },
    { link: '/usr/lib/libblas.so.3', target: '/usr/lib/blas/libblas.so.3' },
  ]);
});

test.each([
  ['a computed name', 'update-alternatives --install /usr/bin/$i $i $basedir/bin/$i 10'],
  ['a quoted name', 'update-alternatives --install "/usr/bin/x" x "/usr/bin/y" 10'],
  ['a way upwards', 'update-alternatives --install /usr/../etc/x x /usr/bin/y 10'],
  ['another command', 'echo --install /usr/bin/x x /usr/bin/y 10'],
  ['a removal', 'update-alternatives --remove x /usr/bin/y'],
])('a script with %s registers no alternative', (_, script) => {
  expect(alternativesIn(script)).toEqual([]);
});
