#!/bin/sh
# Installs Debian packages as the archive had them at the time $1 (like 20261101T000000Z), and leaves nothing else.
set -eu
snapshot=$1
shift
cat > /etc/apt/sources.list.d/debian.sources <<SOURCES
Types: deb
URIs: http://snapshot.debian.org/archive/debian/$snapshot
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
Check-Valid-Until: no

Types: deb
URIs: http://snapshot.debian.org/archive/debian-security/$snapshot
Suites: bookworm-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
Check-Valid-Until: no
SOURCES
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$@"
rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/ldconfig /var/log/apt /var/log/dpkg.log
