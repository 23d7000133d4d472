/** The tests of the suites that containers do not pass, by id, each with the reason. */

export const NO_QUOTA =
  'a root has no size: it is measured, and the sandbox ended (lifecycle.nightly-spec.ts)';

export const OF_CONTAINERS = {
  'abuse.fs.kernel-directories':
    'runtimes show /sys, read-only: all is hidden in it but the cgroup of the container alone',
  'abuse.res.terminals': 'the kernel counts terminals for all containers; gVisor has its own',
};

export const OF_IMAGES = {
  'exec.environment': 'an image has variables of its own; image.spec-environment tests which one wins',
  'snapshot.omits': 'the count includes directories of the root; image.snapshot tests what is taken',
  'snapshot.counts-names': 'the count includes directories of the root',
  'life.refusals': 'a template beside an image is an invalid spec',
  'abuse.fs.host-directories': 'the root is that of the image, whose directories are not those of the host',
  'files.no-space': NO_QUOTA,
  'abuse.fs.full-disks': NO_QUOTA,
  'abuse.fs.files': NO_QUOTA,
  'abuse.bomb.zip': NO_QUOTA,
  'abuse.res.background-bomb':
    'sandboxes of images share the uid of the image: without user namespaces the limit of the container holds',
};

export const OF_IMAGES_AS_USER = {
  'snapshot.hostile-restore': 'the user may not write beside the workspace, so the whole restore is refused',
};

export const OF_IMAGES_AS_ROOT = {
  'files.remove': 'root may remove files of the image',
  'snapshot.hostile-restore': 'the whole root is restored; image.hostile-restore tests what is refused',
  'abuse.fs.shadow': 'root reads the password hashes of the image, which are not those of the host',
  'abuse.fs.read-only': 'root may write to the image; image.own-program tests that it cannot reach ours',
  'abuse.priv.status': 'root has some capabilities; image.root-capabilities tests which',
  'abuse.priv.no-root': 'root may become another user of the image',
  'abuse.priv.kernel-files': 'root may set the order in which the kernel ends its own processes',
  'abuse.priv.first-process':
    'root lists the names of its descriptors; image.own-environment tests that it reads nothing',
};
