import { tmpdir } from 'node:os';
import { CONFORMANCE_TESTS, sandboxSuite } from '../conformance/suite.js';
import { TestProvider, TOOL_VARIANTS } from '../testing/test-provider.js';

for (const [name, tools] of TOOL_VARIANTS) {
  const machine = new TestProvider();
  sandboxSuite(`bubblewrap with ${name} conforms`, CONFORMANCE_TESTS, {
    isQuick: process.env.AGENTCLASH_NIGHTLY === undefined,
    createProvider: () => machine.open({ tools }),
    hostDirectories: tmpdir(),
    expectNothingLeft: () => machine.expectNothingLeft(),
  });
}
