import type { Command } from 'commander';
import type { Act } from './act.js';

export function declareImages(program: Command, act: Act): void {
  const images = program
    .command('image')
    .description('Load, pull, list and remove the container images of packs on this machine');
  images
    .command('load')
    .argument('<path>', 'an archive of docker save or of OCI, or a directory in the layout of OCI')
    .description('Unpack the images of an archive or a layout, for runs without a registry')
    .action(act(async () => (await import('../commands/images/manage.js')).loadImages));
  images
    .command('pull')
    .argument('<reference>', 'NAME:TAG or NAME@DIGEST')
    .description('Pull an image ahead of its first attempt and print the reference that a pack needs')
    .action(act(async () => (await import('../commands/images/manage.js')).pullImage));
  images
    .command('list')
    .description('List the images that are unpacked on this machine')
    .action(act(async () => (await import('../commands/images/manage.js')).listImages));
  images
    .command('remove')
    .argument('<reference>', 'as agentclash image list shows it')
    .description('Delete an image; sandboxes that run keep it until they end')
    .action(act(async () => (await import('../commands/images/manage.js')).removeImage));
}
