import { expect } from '@jest/globals';
import { output, type SandboxTest } from '../conformance/bench.js';
import { ABUSE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { TestProvider, TOOL_VARIANTS } from '../testing/test-provider.js';

const HOST_SECRETS: SandboxTest = {
  id: 'abuse.priv.host-processes',
  guarantee: "neither processes nor environment of the host's can be seen",
  run: async (bench) => {
    process.env.AGENTCLASH_ABUSE_MARK = 'mark-of-the-service';
    const session = await bench.open();
    try {
      // The brackets keep the search from finding itself.
      expect(await output(session, 'grep -l "mark-of-the-[s]ervice" /proc/*/environ /proc/*/cmdline')).toBe(
        '',
      );
      const names = (await output(session, 'cat /proc/[0-9]*/comm | sort -u')).split('\n');
      expect(names.filter((name) => !['inside', 'sh', 'cat', 'sort'].includes(name))).toEqual([]);
    } finally {
      delete process.env.AGENTCLASH_ABUSE_MARK;
    }
  },
};

for (const [name, tools] of TOOL_VARIANTS) {
  const machine = new TestProvider();
  sandboxSuite(`bubblewrap with ${name} withstands abuse`, [...ABUSE_TESTS, HOST_SECRETS], {
    isQuick: process.env.AGENTCLASH_NIGHTLY === undefined,
    createProvider: () => machine.open({ tools }),
    expectNothingLeft: () => machine.expectNothingLeft(),
  });
}
