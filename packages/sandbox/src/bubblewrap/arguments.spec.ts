import { describe, expect, test } from '@jest/globals';
import { resolveSpec } from '../resolved-spec.js';
import type { FilesystemPolicy } from '../spec.js';
import { diskBytes, inodesOf, launcherArguments, type SandboxPlan } from './arguments.js';

const MIB = 1024 * 1024;

function plan(filesystem: FilesystemPolicy = {}, changes: Partial<SandboxPlan> = {}): SandboxPlan {
  return {
    spec: resolveSpec({
      limits: { cpu: 1, memoryBytes: 256 * MIB, pids: 64, workspaceBytes: 32 * MIB },
      labels: { runId: 'r', attemptId: 'a' },
      filesystem,
    }),
    base: { root: '/', etc: '/state/etc', links: [{ name: 'bin', target: 'usr/bin' }], directories: ['usr'] },
    sizes: { tmpBytes: MIB, homeBytes: MIB, sharedMemoryBytes: MIB, extraBytes: MIB },
    bwrap: '/usr/bin/bwrap',
    insideTool: '/cache/inside',
    diskDirectory: '/state/disk',
    seccompFile: '/state/filter',
    uid: 2_000_000_001,
    cgroupFiles: ['/cg/cgroup.procs'],
    isPidLimitOwn: true,
    ...changes,
  };
}

/** Order and values of everything that is mounted. */
function mounts(args: string[]): string[] {
  const found: string[] = [];
  args.forEach((argument, index) => {
    if (argument === '--tmpfs') found.push(`${args[index - 1]} ${args[index + 1]}`);
    if (argument === '--bind') found.push(`${args[index + 1]} ${args[index + 2]}`);
  });
  return found;
}

describe('bubblewrap arguments', () => {
  test('the arguments drop the uid, join limits, and leave no capability, namespace, environment or network', () => {
    const args = launcherArguments(plan());
    expect(args.slice(0, args.indexOf('--'))).toEqual([
      '--open',
      '/cg/cgroup.procs',
      '--seccomp',
      '/state/filter',
      '--uid',
      '2000000001',
      ...['--disk', '/state/disk', String(32 * MIB), '32768', '--dir', '/state/disk/0'],
    ]);
    for (const flag of [
      '--unshare-all',
      '--unshare-user',
      '--disable-userns',
      '--die-with-parent',
      '--new-session',
      '--clearenv',
      '--seccomp',
    ]) {
      expect(args).toContain(flag);
    }
    expect(args.join(' ')).toContain('--cap-drop ALL');
    expect(args.join(' ')).not.toContain('--share-net');
    expect(args.join(' ')).toMatch(/--remount-ro \/ --chdir \/ -- \/\.agentclash\/inside 64 62000 @OPEN$/);
  });

  test('a single workspace root is a disk of its own, sized in bytes and in files', () => {
    const args = launcherArguments(plan());
    expect(args.join(' ')).toContain(`--disk /state/disk ${32 * MIB} 32768 --dir /state/disk/0 --`);
    expect(mounts(args)).toContain('/state/disk/0 /workspace');
  });

  test('a small workspace may hold some thousand files all the same', () => {
    expect([inodesOf(MIB), inodesOf(256 * MIB)]).toEqual([4_096, 262_144]);
  });

  test('several roots share one disk that the launcher mounts, as root and without', () => {
    const shared = { writableRoots: ['/workspace', '/out'] };
    const asRoot = launcherArguments(plan(shared));
    expect(asRoot.join(' ')).toContain(
      `--disk /state/disk ${32 * MIB} 32768 --dir /state/disk/0 --dir /state/disk/1 --`,
    );
    expect(mounts(asRoot)).toEqual(
      expect.arrayContaining(['/state/disk/0 /out', '/state/disk/1 /workspace']),
    );
    const { uid: _, ...ordinary } = plan(shared);
    expect(['--uid', '2000000001', ...launcherArguments(ordinary)].sort()).toEqual([...asRoot].sort());
  });

  test('a root around or inside another place is mounted in the right order', () => {
    const around = mounts(launcherArguments(plan({ workingDirectory: '/home' })));
    expect(around.indexOf('/state/disk/0 /home')).toBeLessThan(around.indexOf(`${MIB} /home/agent`));
    const inside = mounts(launcherArguments(plan({ workingDirectory: '/tmp/work' })));
    expect(inside.indexOf(`${MIB} /tmp`)).toBeLessThan(inside.indexOf('/state/disk/0 /tmp/work'));
    const itself = mounts(launcherArguments(plan({ workingDirectory: '/tmp' })));
    expect(itself.filter((mount) => mount.endsWith(' /tmp'))).toEqual(['/state/disk/0 /tmp']);
  });

  test.each(['/', '/usr', '/usr/local', '/bin', '/etc/x', '/proc', '/dev/shm', '/.agentclash'])(
    'the root %s cannot be writable',
    (root) => {
      expect(() => launcherArguments(plan({ workingDirectory: root }))).toThrow(
        expect.objectContaining({ code: 'unsupported', capability: 'writable_root' }),
      );
    },
  );

  test('readable roots of the image are shown as they are, and others are made', () => {
    const args = launcherArguments(plan({ readableRoots: ['/', '/usr/share', '/data'] }));
    expect(mounts(args).filter((mount) => mount.endsWith('/data'))).toHaveLength(1);
    expect(mounts(args).filter((mount) => mount.includes('/usr'))).toEqual([]);
  });

  test('memory is raised by every in-memory disk', () => {
    expect(diskBytes(plan())).toBe(35 * MIB);
    expect(diskBytes(plan({ stagedRoots: ['/agent', '/grader'] }))).toBe(37 * MIB);
    expect(diskBytes(plan({}, { image: '/state/image' }))).toBe(3 * MIB);
  });
});
