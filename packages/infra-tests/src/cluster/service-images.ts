import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { findNatsServer } from '@agentclash/embedded';
import { readBuildTargets, readDockerfile } from '../images/dockerfile.js';
import { DebianMirror, ImageBuilder } from '../images/image-builder.js';
import { repository } from '../repository.js';

const run = promisify(execFile);
const DOCKER = path.join(repository, 'infra/docker');
/** Those that the overlay `dev` runs. */
const IMAGES = [
  ...['gateway', 'pack-registry', 'run-orchestrator', 'sandbox-executor', 'secrets-vault', 'scoring'],
  ...['inside', 'sandbox'],
];
export const VERSION = '0.1.0';
/** The same programs as another image: what a roll-out replaces pods by. */
export const NEXT_VERSION = '0.1.1';
export const SERVERS_IMAGE = 'localhost/agentclash-test/servers:1';

/** Starts PostgreSQL as the image of that name does: with a database, and the scripts for a new one. */
const ENTRYPOINT = `#!/bin/sh
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username=postgres --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl --wait --options='-c listen_addresses=' start
  psql --username=postgres --command="CREATE DATABASE $POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sql; do
    psql --username=postgres --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 --file="$script"
  done
  pg_ctl --wait --mode=fast stop
fi
exec postgres -c 'listen_addresses=*'
`;

/** Builds the images of the Dockerfile and that of the servers, and gives them to the nodes by a command. */
export async function loadImages(folder: string, load: string): Promise<void> {
  const baseImage = readDockerfile(path.join(DOCKER, 'Dockerfile')).arguments.NODE_IMAGE ?? '';
  const targets = readBuildTargets(path.join(DOCKER, 'docker-bake.json'));
  const mirror = await DebianMirror.start();
  const archive = path.join(folder, 'image.tar');
  const give = async (builder: ImageBuilder, tag: string, name: string) => {
    await builder.archive(tag, name, archive);
    const [command = '', ...words] = load.split(' ');
    await run(command, [...words, archive]);
    rmSync(archive);
  };
  try {
    const builder = await ImageBuilder.open(path.join(folder, 'builder'), baseImage, mirror);
    for (const name of IMAGES) {
      const { target = '', args = {} } = targets[name] ?? {};
      const { tag } = await builder.build({ target, args });
      for (const version of [VERSION, NEXT_VERSION])
        await give(builder, tag, `docker.io/agentclash/${name}:${version}`);
    }
    const servers = await builder.buildFolder(await serversContext(path.join(folder, 'servers')));
    await give(builder, servers, SERVERS_IMAGE);
  } finally {
    mirror.close();
  }
}

/** A folder with a Dockerfile. */
async function serversContext(folder: string): Promise<string> {
  mkdirSync(folder);
  const debian = path.join(folder, 'debian.tar');
  await run('mmdebstrap', ['--variant=minbase', '--include=postgresql', '--quiet', 'bookworm', debian]);
  copyFileSync(await findNatsServer({ log: () => {} }), path.join(folder, 'nats-server'));
  writeFileSync(path.join(folder, 'entrypoint.sh'), ENTRYPOINT, { mode: 0o755 });
  const lines = [
    'FROM scratch',
    'ADD debian.tar /',
    'COPY nats-server entrypoint.sh /',
    // PostgreSQL has to find a name for the user of the manifest.
    'RUN echo postgres999:x:999:999::/tmp:/bin/sh >> /etc/passwd && ln -s /usr/lib/postgresql/*/bin /opt/postgresql',
    'ENV PATH=/opt/postgresql:/usr/local/bin:/usr/bin:/bin',
    // Without it PostgreSQL waits for its clients to leave.
    'STOPSIGNAL SIGINT',
    'ENTRYPOINT ["/entrypoint.sh"]',
    '',
  ];
  writeFileSync(path.join(folder, 'Dockerfile'), lines.join('\n'));
  return folder;
}
