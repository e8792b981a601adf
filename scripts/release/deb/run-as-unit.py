"""Runs the command of a unit of systemd inside a root folder, under the limits that the unit sets, as far as they can be
set without systemd: user, groups, capabilities, system calls, address families, and what it sees of the file system.

    unshare --mount --pid --ipc --fork --kill-child /usr/bin/python3 run-as-unit.py <root folder>

It is for tests, where systemd does not run. A directive that it does not know is an error, so that none is forgotten.
"""

import ctypes
import os
import pwd
import shlex
import socket
import subprocess
import sys

import seccomp

# Of the service manager, of other hardware, or a part of what others here do.
NOT_TRIED = {
    'Restart', 'RestartSec', 'TimeoutStopSec', 'ExecCondition', 'PrivateUsers', 'ProtectClock', 'ProtectControlGroups',
    'ProtectHostname', 'ProtectKernelLogs', 'ProtectKernelModules', 'ProtectKernelTunables', 'RemoveIPC', 'KeyringMode',
    'SystemCallErrorNumber', 'AmbientCapabilities',
}
DEVICES = {'null': 3, 'zero': 5, 'full': 7, 'random': 8, 'urandom': 9}
NAMESPACES = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38
libc = ctypes.CDLL(None, use_errno=True)


def read_unit(path):
    """The directives of the service, in their order. A line that a backslash continues does not occur."""
    section, found = None, []
    for line in open(path).read().splitlines():
        if line.startswith('['):
            section = line.strip('[]')
        elif section == 'Service' and line and line[0] not in '#;':
            found.append(line.split('=', 1))
    return found


def mount(*arguments):
    subprocess.run(['mount', *arguments], check=True)


def hide_file_system(root, unit, user):
    """ProtectSystem=strict, ProtectHome, PrivateTmp, PrivateDevices, ProtectProc, ProcSubset, and the own folders."""
    mount('--make-rprivate', '/')
    mount('--bind', root, root)
    own = [f'/var/lib/{unit["StateDirectory"]}', f'/var/cache/{unit["CacheDirectory"]}']
    for folder in own:
        os.makedirs(root + folder, exist_ok=True)
        os.chmod(root + folder, int(unit['StateDirectoryMode'], 8))
        os.chown(root + folder, user.pw_uid, user.pw_gid)
        mount('--bind', root + folder, root + folder)
    for folder in ('/home', '/root', '/run/user'):
        if os.path.isdir(root + folder):
            mount('-t', 'tmpfs', '-o', 'mode=000,ro', 'none', root + folder)
    for folder in ('/tmp', '/var/tmp'):
        mount('-t', 'tmpfs', '-o', 'mode=1777', 'none', root + folder)
    mount('-t', 'tmpfs', '-o', 'mode=755', 'none', f'{root}/dev')
    os.umask(0)
    for name, minor in DEVICES.items():
        os.mknod(f'{root}/dev/{name}', 0o20666, os.makedev(1, minor))
    for number, name in enumerate(('stdin', 'stdout', 'stderr')):
        os.symlink(f'/proc/self/fd/{number}', f'{root}/dev/{name}')
    mount('-t', 'proc', '-o', f'hidepid={unit["ProtectProc"]},subset={unit["ProcSubset"]}', 'proc', f'{root}/proc')
    mount('-o', 'remount,bind,ro', root)


def allowed_calls(unit_lines):
    """SystemCallFilter: the first line allows, later ones take away (~) or add."""
    allowed = set()
    for name, value in unit_lines:
        if name == 'SystemCallFilter':
            calls = set().union(*(expand(each) for each in value.lstrip('~').split()))
            allowed = allowed - calls if value.startswith('~') else allowed | calls
    # systemd always allows these, which start and end programs.
    return allowed | expand('@default')


def expand(name):
    if not name.startswith('@'):
        return {name}
    lines = subprocess.run(
        ['systemd-analyze', 'syscall-filter', '--no-pager', name], check=True, capture_output=True, text=True
    ).stdout.splitlines()[1:]
    return set().union(*(expand(line.strip()) for line in lines if not line.strip().startswith('#')))


def limit_calls(allowed, families):
    listed = seccomp.SyscallFilter(seccomp.ERRNO(1))
    for name in allowed | {'execve'}:
        try:
            listed.add_rule(seccomp.ALLOW, name)
        except (RuntimeError, OSError):
            pass  # of another architecture
    # RestrictAddressFamilies, RestrictNamespaces, LockPersonality, RestrictRealtime, RestrictSUIDSGID
    others = seccomp.SyscallFilter(seccomp.ALLOW)
    for family in set(range(46)) - {getattr(socket, each) for each in families}:
        others.add_rule(seccomp.ERRNO(97), 'socket', seccomp.Arg(0, seccomp.EQ, family))
    for flag in NAMESPACES:
        others.add_rule(seccomp.ERRNO(1), 'clone', seccomp.Arg(0, seccomp.MASKED_EQ, flag, flag))
    for name in ('unshare', 'setns'):
        others.add_rule(seccomp.ERRNO(1), name)
    others.add_rule(seccomp.ERRNO(38), 'clone3')
    others.add_rule(seccomp.ERRNO(1), 'personality', seccomp.Arg(0, seccomp.NE, 0))
    for policy in (1, 2, 6):
        others.add_rule(seccomp.ERRNO(1), 'sched_setscheduler', seccomp.Arg(1, seccomp.EQ, policy))
    for bits in (0o4000, 0o2000):
        others.add_rule(seccomp.ERRNO(1), 'chmod', seccomp.Arg(1, seccomp.MASKED_EQ, bits, bits))
        others.add_rule(seccomp.ERRNO(1), 'fchmod', seccomp.Arg(1, seccomp.MASKED_EQ, bits, bits))
        others.add_rule(seccomp.ERRNO(1), 'fchmodat', seccomp.Arg(2, seccomp.MASKED_EQ, bits, bits))
    others.load()
    listed.load()


def drop_rights(user):
    """CapabilityBoundingSet= without any, User, Group, NoNewPrivileges."""
    for capability in range(41):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    os.initgroups(user.pw_name, user.pw_gid)
    os.setresgid(user.pw_gid, user.pw_gid, user.pw_gid)
    os.setresuid(user.pw_uid, user.pw_uid, user.pw_uid)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def variables(root, unit_lines):
    found = {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin', 'LANG': 'C.UTF-8'}
    for name, value in unit_lines:
        if name == 'Environment':
            found.update([value.split('=', 1)])
        if name == 'EnvironmentFile':
            for line in open(root + value.lstrip('-')).read().splitlines():
                if line and line[0] != '#':
                    found.update([line.split('=', 1)])
    return found


def main(root):
    lines = read_unit(f'{root}/lib/systemd/system/gatehouse.service')
    unit = dict(lines)
    known = {
        'User', 'Group', 'WorkingDirectory', 'EnvironmentFile', 'Environment', 'ExecStart', 'UMask', 'StateDirectory',
        'StateDirectoryMode', 'CacheDirectory', 'CacheDirectoryMode', 'ProtectSystem', 'ProtectHome', 'PrivateTmp',
        'PrivateDevices', 'ProtectProc', 'ProcSubset', 'NoNewPrivileges', 'CapabilityBoundingSet', 'RestrictSUIDSGID',
        'RestrictNamespaces', 'RestrictRealtime', 'LockPersonality', 'RestrictAddressFamilies',
        'SystemCallArchitectures', 'SystemCallFilter',
    }
    unknown = set(unit) - known - NOT_TRIED
    if unknown:
        sys.exit(f'run-as-unit.py does not know {", ".join(sorted(unknown))}.')
    # Everything that needs programs and files of this machine comes before the change of the root.
    allowed, environment = allowed_calls(lines), variables(root, lines)
    command = shlex.split(unit['ExecStart'])
    user = next(pwd.struct_passwd([*e[:2], int(e[2]), int(e[3]), *e[4:]]) for e in
                (line.rstrip('\n').split(':') for line in open(f'{root}/etc/passwd')) if e[0] == unit['User'])
    hide_file_system(root, unit, user)
    os.chroot(root)
    os.chdir(unit['WorkingDirectory'])
    os.umask(int(unit['UMask'], 8))
    os.setsid()
    drop_rights(user)
    limit_calls(allowed, unit['RestrictAddressFamilies'].split())
    os.execve(command[0], command, environment)


main(sys.argv[1])
