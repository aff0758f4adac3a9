"""A sandbox from `unshare`, `mount` and `pivot_root` alone, where bubblewrap is not installed.

In new user, mount and process namespaces a shell builds the root that the program is to see, moves
into it, and gives up every right before the program starts. Paths are arguments of the script and
never a part of it.
"""

from collections.abc import Iterable, Iterator, Sequence

__all__ = ["namespace_argv"]

_SCRIPT = r"""
set -eu
user=$1 group=$2 directory=$3
shift 3
# The program's own PATH may lack the folders of the tools below.
own_path=${PATH-}
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$own_path
unshare=$(command -v unshare)
setpriv=$(command -v setpriv)
mount --make-rprivate /
# A folder that every Linux has, and that nothing is taken from.
stage=/sys
mount -t tmpfs -o mode=755 tmpfs "$stage"
place() {
  if [ -d "$1" ]; then
    mkdir -p "$stage$1"
  else
    mkdir -p "$stage${1%/*}"
    [ -e "$stage$1" ] || : >"$stage$1"
  fi
  mount --rbind "$1" "$stage$1"
}
protect() {
  # What the mount forbids already must be named again, or the kernel refuses.
  for flags in '' ,nosuid ,nodev ,nosuid,nodev ,nosuid,nodev,noexec ,nosuid,nodev,relatime; do
    if mount -o "remount,bind,ro$flags" "$stage$1" 2>/dev/null; then return 0; fi
  done
  echo "sandbox: $1 cannot be made read-only" >&2
  exit 125
}
mkdir -p "$stage/proc" "$stage/dev/shm" "$stage/tmp"
chmod 1777 "$stage/tmp" "$stage/dev/shm"
while [ "$1" != -- ]; do
  case $1 in
  system) if [ -L "$2" ]; then ln -s "$(readlink "$2")" "$stage$2"
    elif [ -e "$2" ]; then place "$2"; protect "$2"; fi ;;
  masked) if [ -d "$stage$2" ]; then mount -t tmpfs -o mode=755 tmpfs "$stage$2"; fi ;;
  readable) place "$2"; protect "$2" ;;
  writable) place "$2" ;;
  esac
  shift 2
done
shift
for device in null zero full random urandom tty; do
  : >"$stage/dev/$device"
  mount --bind "/dev/$device" "$stage/dev/$device"
done
ln -s /proc/self/fd "$stage/dev/fd"
mount -t proc proc "$stage/proc"
cd "$stage"
pivot_root . .
umount -l .
cd "$directory"
PATH=$own_path
exec "$unshare" --user --map-user="$user" --map-group="$group" -- \
  "$setpriv" --inh-caps=-all --bounding-set=-all --no-new-privs -- "$@"
"""


def namespace_argv(
    unshare: str,
    argv: Sequence[str],
    *,
    system: Iterable[str],
    masked: Iterable[str],
    readable: Iterable[str],
    writable: Iterable[str],
    directory: str,
    user: int,
    group: int,
) -> tuple[str, ...]:
    """The command line that runs `argv` with the given paths in sight, and no others."""
    kinds = {"system": system, "masked": masked, "readable": readable, "writable": writable}
    return (
        unshare,
        *("--user", "--map-root-user", "--mount", "--pid", "--ipc", "--uts"),
        *("--fork", "--kill-child"),
        *("--", "/bin/sh", "-c", _SCRIPT, "sandbox"),
        *(str(user), str(group), directory),
        *_operations(kinds.items()),
        "--",
        *argv,
    )


def _operations(kinds: Iterable[tuple[str, Iterable[str]]]) -> Iterator[str]:
    for kind, paths in kinds:
        for path in paths:
            yield from (kind, path)
