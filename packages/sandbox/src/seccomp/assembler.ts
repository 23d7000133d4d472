/** A classic BPF assembler with labels, as far as seccomp filters need it. */

export type Instruction =
  | { op: 'load'; offset: number }
  | { op: 'jump_if'; test: 'equal' | 'greater_equal' | 'any_bit'; value: number; to: string }
  | { op: 'jump'; to: string }
  | { op: 'return'; value: number }
  | { op: 'label'; name: string };

const LOAD_WORD = 0x20;
const RETURN = 0x06;
const JUMP = 0x05;
const JUMP_IF = { equal: 0x15, greater_equal: 0x35, any_bit: 0x45 } as const;
const INSTRUCTION_BYTES = 8;

/** Bytes of the `sock_filter` array. Throws when a conditional jump is longer than 255 instructions or goes back. */
export function assemble(program: readonly Instruction[]): Buffer {
  const code = program.filter((instruction) => instruction.op !== 'label');
  const labels = addresses(program);
  const bytes = Buffer.alloc(code.length * INSTRUCTION_BYTES);
  code.forEach((instruction, at) => {
    const { code: opcode, jumpTrue, k } = encode(instruction, at, labels);
    bytes.writeUInt16LE(opcode, at * INSTRUCTION_BYTES);
    bytes.writeUInt8(jumpTrue, at * INSTRUCTION_BYTES + 2);
    bytes.writeUInt32LE(k >>> 0, at * INSTRUCTION_BYTES + 4);
  });
  return bytes;
}

function addresses(program: readonly Instruction[]): Map<string, number> {
  const labels = new Map<string, number>();
  let at = 0;
  for (const instruction of program) {
    if (instruction.op === 'label') labels.set(instruction.name, at);
    else at++;
  }
  return labels;
}

interface Encoded {
  code: number;
  jumpTrue: number;
  k: number;
}

function encode(instruction: Instruction, at: number, labels: Map<string, number>): Encoded {
  switch (instruction.op) {
    case 'load':
      return { code: LOAD_WORD, jumpTrue: 0, k: instruction.offset };
    case 'return':
      return { code: RETURN, jumpTrue: 0, k: instruction.value };
    case 'jump':
      return { code: JUMP, jumpTrue: 0, k: distance(instruction.to, at, labels) };
    case 'jump_if': {
      const jumpTrue = distance(instruction.to, at, labels);
      if (jumpTrue > 255) throw new RangeError(`jump to ${instruction.to} is too long`);
      return { code: JUMP_IF[instruction.test], jumpTrue, k: instruction.value };
    }
    case 'label':
      throw new Error('a label is no instruction');
  }
}

function distance(label: string, at: number, labels: Map<string, number>): number {
  const target = labels.get(label);
  if (target === undefined || target <= at) throw new RangeError(`no label ${label} ahead`);
  return target - at - 1;
}
