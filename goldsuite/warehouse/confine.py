"""Takes from this process the right to change any file or to call anybody (Linux's Landlock).

A layer below the engine's own enforcement: what it lets a statement do by mistake, the system does
not. Only what is opened afterwards is judged, so that pipes and files that are open stay usable.
"""

import ctypes
import os
import sys

__all__ = ["can_forbid_changes", "forbid_changes"]

# Alike on every architecture but Alpha.
_CREATE_RULESET = 444
_RESTRICT_SELF = 446
_ASK_VERSION = 1
_NO_NEW_PRIVILEGES = 38

# Rights over files, from <linux/landlock.h>; each bit with the version that knows it.
_FILE_RIGHTS = (
    (1 << 0, 1),  # execute
    (1 << 1, 1),  # write
    (1 << 4, 1),  # remove a folder
    (1 << 5, 1),  # remove a file
    (0b1111111 << 6, 1),  # make a device, folder, file, socket, pipe, block device, link
    (1 << 13, 2),  # move to another folder
    (1 << 14, 3),  # truncate
)
_TCP_RIGHTS = 0b11
_TCP_VERSION = 4


def _version() -> int:
    """Of the system's Landlock; 0 or less where there is none."""
    if not sys.platform.startswith("linux"):
        return 0
    asked = ctypes.CDLL(None).syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)
    return int(asked)


class _Ruleset(ctypes.Structure):
    _fields_ = [
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
    ]


def can_forbid_changes() -> bool:
    """Whether `forbid_changes` would do so here."""
    return _version() >= 1


def forbid_changes() -> bool:
    """Forbid this process, and what it starts, to write, make, move, remove or run files, and TCP.

    Call it before any thread is started: only the calling one and those that it starts are bound.

    Returns:
        False where the system knows no such thing (not Linux, before 5.13, or switched off).
    """
    version = _version()
    if version < 1:
        return False
    system = ctypes.CDLL(None)
    rules = _Ruleset(
        handled_access_fs=sum(right for right, since in _FILE_RIGHTS if version >= since),
        handled_access_net=_TCP_RIGHTS if version >= _TCP_VERSION else 0,
    )
    # Older systems know a structure of the first member alone.
    size = ctypes.sizeof(_Ruleset) if version >= _TCP_VERSION else ctypes.sizeof(ctypes.c_uint64)
    # No path is named besides, so that all that the rules handle is forbidden everywhere.
    ruleset = system.syscall(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return False
    try:
        alone = system.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
        return bool(alone and system.syscall(_RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)
