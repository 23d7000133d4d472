import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import { type Bench, output, type SandboxTest, sh } from './bench.js';

const SHOWN = '/opt/agents/shown';

/** Tests of the directories of the host that a spec brings to the sandbox. */
export const DIRECTORY_TESTS: SandboxTest[] = [
  {
    id: 'directories.read-only',
    guarantee: 'a directory of the host is read and its programs run, and nothing in it can be changed',
    run: async (bench) => {
      const { layer, read } = layers(bench);
      const session = await bench.open({ directories: [{ source: layer, path: SHOWN }] });
      expect(await output(session, `cat ${SHOWN}/data.txt && ${SHOWN}/bin/tool`)).toBe('data\nran');
      const changes = [
        `echo changed > ${SHOWN}/data.txt`,
        `echo new > ${SHOWN}/new.txt`,
        `chmod 777 ${SHOWN}/bin/tool`,
        `rm -f ${SHOWN}/data.txt && test ! -e ${SHOWN}/data.txt`,
        `mv ${SHOWN}/bin ${SHOWN}/moved`,
        `ln ${SHOWN}/data.txt ${SHOWN}/link`,
        `mkdir ${SHOWN}/made`,
      ];
      for (const change of changes) {
        const { exitCode } = await sh(session, change);
        expect([change, exitCode === 0]).toEqual([change, false]);
      }
      expect(read()).toEqual(['bin/tool', 'data.txt', 'data', 'others']);
    },
  },
  {
    id: 'directories.apart',
    guarantee: 'a sandbox sees none of the directories beside its own, by no path and by no link',
    run: async (bench) => {
      const { layer, beside, secret } = layers(bench);
      symlinkSync(path.join(beside, secret), path.join(layer, 'absolute'));
      symlinkSync(`../${path.basename(beside)}/${secret}`, path.join(layer, 'relative'));
      const session = await bench.open({ directories: [{ source: layer, path: SHOWN }] });
      expect(await output(session, `ls /opt/agents && ls ${SHOWN}`)).toBe(
        ['shown', 'absolute', 'bin', 'data.txt', 'relative'].join('\n'),
      );
      const tries = [
        `cat ${SHOWN}/absolute`,
        `cat ${SHOWN}/relative`,
        `cat ${SHOWN}/../${path.basename(beside)}/${secret}`,
        `cat ${beside}/${secret}`,
      ];
      for (const attempt of tries) expect([attempt, await output(session, attempt)]).toEqual([attempt, '']);
      const found = `find / -path /proc -prune -o -name '${secret}' -print 2>/dev/null`;
      expect(await output(session, found)).toBe('');
      const without = await bench.open();
      expect(await output(without, `ls ${SHOWN} 2>/dev/null; echo end`)).toBe('end');
    },
  },
  {
    id: 'directories.several',
    guarantee: 'each of several directories is at its own path',
    run: async (bench) => {
      const { layer, beside, secret } = layers(bench);
      const session = await bench.open({
        directories: [
          { source: layer, path: SHOWN },
          { source: beside, path: '/opt/agents/other' },
        ],
      });
      expect(await output(session, `cat ${SHOWN}/data.txt /opt/agents/other/${secret}`)).toBe('data\nothers');
    },
  },
];

/** Two directories side by side, as the layers of two agents are. */
function layers(bench: Bench) {
  const parent = bench.hostDirectory();
  const secret = `${path.basename(parent)}-secret`;
  const [layer, beside] = [path.join(parent, 'layer'), path.join(parent, 'beside')];
  mkdirSync(path.join(layer, 'bin'), { recursive: true });
  mkdirSync(beside);
  writeFileSync(path.join(layer, 'data.txt'), 'data\n');
  writeFileSync(path.join(layer, 'bin', 'tool'), '#!/bin/sh\necho ran\n');
  writeFileSync(path.join(beside, secret), 'others\n');
  // Open to every user, so that nothing but the mount forbids a change.
  const files = ['bin', 'bin/tool', 'data.txt'].map((name) => path.join(layer, name));
  for (const file of [layer, beside, ...files]) chmodSync(file, 0o777);
  const read = () => [
    ...readdirSync(layer, { recursive: true, encoding: 'utf8' })
      .filter((name) => name !== 'bin')
      .sort(),
    readFileSync(path.join(layer, 'data.txt'), 'utf8').trim(),
    readFileSync(path.join(beside, secret), 'utf8').trim(),
  ];
  return { layer, beside, secret, read };
}
