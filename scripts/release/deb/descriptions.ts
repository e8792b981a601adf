// The descriptions of the package of Debian: control, changelog and copyright (Debian Policy, sections 5.3, 4.4 and 12.5).

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Architecture } from '../locked-node.ts';
import { version } from '../release-folder.ts';

const maintainer = 'The Gatehouse authors <authors@gatehouse.invalid>';

/** Debian sorts `1.0.0~rc.1` before `1.0.0`, as semantic versions sort `1.0.0-rc.1`. */
export function debianVersion(semantic: string): string {
  return semantic.replace('-', '~');
}

export interface Control {
  readonly architecture: Architecture;
  readonly kibibytes: number;
}

/**
 * The libraries are those that Node is linked with, and the versions those of the oldest distributions that it is built
 * for; the check of the package compares them. The others are for the scripts of the package, as debhelper has them.
 */
export function control({ architecture, kibibytes }: Control): string {
  return `Package: gatehouse
Version: ${debianVersion(version)}
Section: web
Priority: optional
Architecture: ${architecture}
Installed-Size: ${kibibytes}
Maintainer: ${maintainer}
Depends: libc6 (>= 2.28), libstdc++6 (>= 8), libgcc-s1, libatomic1, debconf (>= 0.5) | debconf-2.0, systemd | systemd-standalone-sysusers | systemd-sysusers
Recommends: ca-certificates
Suggests: nginx | caddy, postgresql
Description: members and access groups of websites
 Gatehouse manages who may see which pages of a website: members, who log in
 with a link from an email, access groups with an end, and rules for paths. A
 web server such as nginx or Caddy checks each request with it, or Gatehouse
 serves the pages itself.
 .
 The service has a dashboard, an API and a command line. It stores its data in
 SQLite or PostgreSQL. This package contains the Node.js that it runs on.
`;
}

export function changelog(epochSeconds: number): string {
  const date = new Date(epochSeconds * 1000).toUTCString().replace('GMT', '+0000');
  return `gatehouse (${debianVersion(version)}) unstable; urgency=medium

  * Version ${version}. What has changed: /usr/share/doc/gatehouse/CHANGELOG.md

 -- ${maintainer}  ${date}
`;
}

/** @param release the assembled release, with the lists of what is built in */
export function copyright(release: string): string {
  const licenseText = readFileSync(path.join(release, 'LICENSE'), 'utf8');
  const bill = JSON.parse(readFileSync(path.join(release, `gatehouse-${version}.cdx.json`), 'utf8'));
  const builtIn = (bill.components as Component[]).map(
    ({ group, name, version: of, licenses }) =>
      `${group === undefined ? '' : `${group}/`}${name} ${of} (${licenses.map(nameOf).join(', ')})`,
  );
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Gatehouse
Comment: The program is built of its own sources and of packages of npm. The
 list gatehouse-${version}.cdx.json names each of them.

Files: *
Copyright: 2026 The Gatehouse authors
License: Expat

Files: usr/lib/gatehouse/server/dist/*
       usr/lib/gatehouse/server/assets/*
       usr/lib/gatehouse/dashboard/dist/*
Copyright: 2026 The Gatehouse authors
           the authors of the packages that are built in
License: Expat and others
Comment: These packages are built in. Their copyrights and licenses are in licenses.md
 of each of these folders:
${builtIn.map((each) => ` ${each}`).join('\n')}

Files: usr/lib/gatehouse/bin/node
Copyright: Node.js contributors, Joyent, Inc. and other Node contributors
           the authors of the libraries that are built in
License: Expat and others
Comment: All copyrights and licenses are in /usr/share/doc/gatehouse/licenses/node.

License: Expat
${indented(licenseText.slice(licenseText.indexOf('Permission')))}

License: Expat and others
 The license of Gatehouse and of Node.js is Expat, as above. The licenses of what is
 built in are Expat, ISC, BSD, Apache-2.0 and other free licenses; the files that the
 comments above name have their texts.
`;
}

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly licenses: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
}

function nameOf({ license, expression }: Component['licenses'][number]): string {
  return expression ?? license?.id ?? license?.name ?? 'see its text';
}

/** As a field of a control file: an empty line is a dot. */
function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? ' .' : ` ${line}`))
    .join('\n');
}
