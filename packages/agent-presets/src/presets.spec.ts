import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { builtinPresets, packagesOf } from './builtin.js';
import { textOfLines } from './output.js';
import { PresetError, parsePreset } from './preset.js';
import { type PresetValues, renderPreset } from './render.js';

const VALUES: PresetValues = {
  url: 'http://127.0.0.1:13131',
  token: 'attempt-token',
  model: 'main',
  small_model: 'small',
  prompt: 'Fix "it".\nThen stop.',
  home: '/home/agent',
  packages: '/opt/agents/x/node_modules',
  node: '/opt/agents/node/bin/node',
  wire: 'chat',
  hasMcp: true,
};

const MINIMAL = `
name: mine
title: Mine
wires: [chat]
command: [/usr/bin/python3, agent.py]
`;

const names = [...builtinPresets().keys()];

describe('The presets of the product', () => {
  test('The presets of the product cover the agents that the documentation names', () => {
    expect(names).toEqual(['claude-code', 'codex', 'gemini-cli', 'opencode', 'pi', 'qwen-code']);
  });

  test.each(names)(
    'The preset %s leaves no placeholder open and writes valid JSON, with and without tools',
    (name) => {
      const preset = builtinPresets().get(name);
      if (!preset) throw new Error('unreachable');
      for (const wire of preset.wires) {
        for (const hasMcp of [true, false]) {
          const program = renderPreset(preset, { ...VALUES, wire, hasMcp, instructions: 'Be brief.' });
          expect(JSON.stringify(program)).not.toMatch(/\{\{|undefined/);
          for (const { path, content } of program.files) {
            expect(path).toMatch(/^\/home\/agent\/./);
            if (path.endsWith('.json')) expect(JSON.parse(content)).toEqual(expect.any(Object));
          }
          const everything = JSON.stringify(program);
          expect(everything).toContain(VALUES.url);
          expect(everything).toContain(VALUES.token);
          expect(everything.includes('/mcp')).toBe(hasMcp && preset.mcp !== undefined);
          expect(everything).toContain('Be brief.');
          expect(program.stdin).toContain(VALUES.prompt);
        }
      }
    },
  );

  test('The presets with a command for ACP leave prompt and tools to its session', () => {
    const ofAcp = [...builtinPresets().values()].filter(({ acp }) => acp !== undefined);
    expect(ofAcp.map(({ name }) => name)).toEqual(['gemini-cli', 'opencode', 'qwen-code']);
    for (const preset of ofAcp) {
      for (const wire of preset.wires) {
        const values = { ...VALUES, wire, hasMcp: true, instructions: 'Be brief.' };
        const program = renderPreset(preset, { ...values, isAcp: true });
        expect(program.command).not.toEqual(renderPreset(preset, values).command);
        expect(program).toMatchObject({ stdin: '', prompt: VALUES.prompt });
        const { prompt: _, ...rest } = program;
        const everything = JSON.stringify(rest);
        expect(everything).not.toMatch(/\{\{|undefined|\/mcp/);
        expect(everything).not.toContain(VALUES.prompt);
        expect(everything).toContain('Be brief.');
        for (const { path, content } of program.files)
          if (path.endsWith('.json')) expect(JSON.parse(content)).toEqual(expect.any(Object));
      }
    }
  });

  test.each(names)('The preset %s pins every package by an exact version and its digest', (name) => {
    const preset = builtinPresets().get(name);
    if (!preset) throw new Error('unreachable');
    const packages = packagesOf(preset);
    expect(packages.length).toBeGreaterThan(0);
    expect(new Set(packages.map(({ path }) => path)).size).toBe(packages.length);
    const program = preset.command.find((word) => word.startsWith('{{packages}}/')) ?? '';
    const inside = program.slice('{{packages}}/'.length);
    expect(packages.some(({ path }) => inside.startsWith(`${path}/`))).toBe(true);
  });
});

describe('A preset of one’s own', () => {
  test('A preset needs a name, a title, an API and a command', () => {
    expect(parsePreset(MINIMAL, 'mine.yaml')).toMatchObject({
      name: 'mine',
      final_output: { from: 'stdout' },
    });
  });

  test.each([
    ['an unknown key', `${MINIMAL}colour: red\n`, 'colour'],
    [
      'an unknown placeholder',
      `${MINIMAL}env: { KEY: '{{secret}}' }\n`,
      'env.KEY: nothing fills the placeholder {{secret}}',
    ],
    [
      'a placeholder that only some APIs fill',
      `${MINIMAL.replace('[chat]', '[chat, google]')}wire_settings: { chat: { a: b } }\nstdin: '{{wire.a}}'\n`,
      'stdin: nothing fills the placeholder {{wire.a}}',
    ],
    [
      'an unknown placeholder in its command for ACP',
      `${MINIMAL}acp: { command: [x, '{{modell}}'] }\n`,
      'acp.command.1: nothing fills the placeholder {{modell}}',
    ],
    ['an unknown API', MINIMAL.replace('[chat]', '[soap]'), 'wires.0'],
    [
      'a version range',
      `${MINIMAL}packages: [{ name: x, version: ^1.0.0, integrity: sha512-${'A'.repeat(86)}== }]\n`,
      'packages.0.version: is no exact version',
    ],
    [
      'a weak digest',
      `${MINIMAL}packages: [{ name: x, version: 1.0.0, integrity: sha1-abc= }]\n`,
      'packages.0.integrity: is no sha512 integrity',
    ],
    ['a key that is given twice', `${MINIMAL}title: Again\n`, 'line 6'],
    ['text that is not YAML', 'name: [', 'line 1'],
    ['a list', '- a', '(document)'],
    ['a file outside of the home directory', `${MINIMAL}files: { /etc/x: y }\n`, 'files./etc/x'],
    [
      'an output in a place that is not read',
      `${MINIMAL}final_output: { from: file, file: '{{hoem}}/out' }\n`,
      'must lie below {{home}} or /tmp',
    ],
  ])('A preset with an error is refused with the place of its problem: %s', (_name, text, problem) => {
    const parse = () => parsePreset(text, 'mine.yaml');
    expect(parse).toThrow(PresetError);
    expect(parse).toThrow(problem);
  });

  test('An agent whose preset names no file for instructions receives them before its prompt', () => {
    const preset = parsePreset(`${MINIMAL}stdin: '{{prompt}}'\n`, 'mine.yaml');
    expect(renderPreset(preset, { ...VALUES, instructions: 'Be brief.' })).toMatchObject({
      stdin: `Be brief.\n\n${VALUES.prompt}`,
      files: [],
    });
    const ofAcp = parsePreset(`${MINIMAL}acp: { command: [x] }\n`, 'mine.yaml');
    expect(renderPreset(ofAcp, { ...VALUES, instructions: 'Be brief.', isAcp: true })).toMatchObject({
      command: ['x'],
      prompt: `Be brief.\n\n${VALUES.prompt}`,
    });
  });

  test('A preset names the place of skills below the home directory, or none', () => {
    const preset = parsePreset(`${MINIMAL}skills: { directory: '{{home}}/.mine/skills' }\n`, 'mine.yaml');
    expect(renderPreset(preset, VALUES).skillsDirectory).toBe('/home/agent/.mine/skills');
    expect(renderPreset(parsePreset(MINIMAL, 'mine.yaml'), VALUES)).not.toHaveProperty('skillsDirectory');
  });

  test('Text that looks like a placeholder within a value is never filled', () => {
    const preset = parsePreset(`${MINIMAL}stdin: '{{prompt}}|{{model}}'\n`, 'mine.yaml');
    fc.assert(
      fc.property(fc.array(fc.constantFrom('{{token}}', '{{', '}}', '$&', '$1', 'x')), (parts) => {
        const prompt = parts.join('');
        expect(renderPreset(preset, { ...VALUES, prompt }).stdin).toBe(`${prompt}|main`);
      }),
    );
  });

  test('A preset is parsed or refused with a PresetError, whatever it holds', () => {
    const key = fc.constantFrom(
      'name',
      'title',
      'wires',
      'command',
      'env',
      'files',
      'mcp',
      'final_output',
      'packages',
    );
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })), fc.string(), (value, noise) => {
        for (const text of [JSON.stringify(value), noise]) {
          try {
            parsePreset(text, 'mine.yaml');
          } catch (error) {
            expect(error).toBeInstanceOf(PresetError);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('The final output in lines of JSON', () => {
  const lines = [
    'a warning',
    '{"type":"item.completed","item":{"type":"agent_message","text":"first"}}',
    '{"type":"item.completed","item":{"type":"command","text":"ls"}}',
    '{"broken',
    '{"type":"item.completed","item":{"type":"agent_message","text":"last"}}',
    '{"type":"turn.completed"}',
  ].join('\n');
  const where = { type: 'item.completed', 'item.type': 'agent_message' };

  test('The final output is the text of the last line that matches, or all of them joined', () => {
    const path = ['item', 'text'];
    expect(textOfLines(lines, { from: 'last_json_line', where, path })).toBe('last');
    expect(textOfLines(lines, { from: 'joined_json_lines', where, path })).toBe('firstlast');
    expect(textOfLines(lines, { from: 'last_json_line', where: { type: 'none' }, path })).toBeUndefined();
  });

  test('The texts of a list of parts are joined to the final output', () => {
    const line =
      '{"message":{"content":[{"type":"thinking","x":1},{"type":"text","text":"a"},{"text":"b"}]}}';
    const source = { from: 'last_json_line', where: {}, path: ['message', 'content'] } as const;
    expect(textOfLines(line, { ...source, path: [...source.path] })).toBe('ab');
  });

  test('Reading the final output never throws, whatever a program prints', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.json(), fc.string())), (printed) => {
        const source = { from: 'joined_json_lines' as const, where: {}, path: ['__proto__', 'text'] };
        expect(['string', 'undefined']).toContain(typeof textOfLines(printed.join('\n'), source));
      }),
    );
  });
});
