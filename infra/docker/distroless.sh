#!/bin/sh
# Lays out below the folder $1 what a Node.js program needs of a system: the interpreter, the libraries that it links,
# one account without rights, and a place for temporary files.
set -eu
root=$1
node=$(command -v node)
mkdir -p "$root/usr/bin" "$root/etc" "$root/tmp"
cp -L "$node" "$root/usr/bin/node"
ldd "$node" | grep -o '/[^ ]*\.so[^ ]*' | sort -u | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
printf 'root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/:/sbin/nologin\n' > "$root/etc/passwd"
printf 'root:x:0:\nnonroot:x:65532:\n' > "$root/etc/group"
printf 'hosts: files dns\n' > "$root/etc/nsswitch.conf"
chmod 1777 "$root/tmp"
find "$root" -exec touch --no-dereference --date="@${SOURCE_DATE_EPOCH:-0}" {} +
