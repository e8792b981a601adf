import { beehiiv } from './beehiiv.ts';
import { discourse } from './discourse.ts';
import { ghost } from './ghost.ts';
import { googleContacts } from './google-contacts.ts';
import { googleWorkspace } from './google-workspace.ts';
import { kit } from './kit.ts';
import type { KnownExport } from './known-export.ts';
import { keyOf } from './known-reading.ts';
import { luma } from './luma.ts';
import { mailchimp } from './mailchimp.ts';
import { memberful } from './memberful.ts';
import { memberstack } from './memberstack.ts';
import { moodle } from './moodle.ts';
import { outlook } from './outlook.ts';
import { paidMembershipsPro } from './paid-memberships-pro.ts';
import { patreon } from './patreon.ts';
import { steady } from './steady.ts';
import { substack } from './substack.ts';
import { wordpress } from './wordpress.ts';

/** By their names in readings, answers and mappings. */
const knownExports = {
  beehiiv,
  discourse,
  ghost,
  googleContacts,
  googleWorkspace,
  kit,
  luma,
  mailchimp,
  memberful,
  memberstack,
  moodle,
  outlook,
  paidMembershipsPro,
  patreon,
  steady,
  substack,
  wordpress,
} satisfies Readonly<Record<string, KnownExport>>;
export type KnownExportName = keyof typeof knownExports;

export const knownExportNames = Object.keys(knownExports) as KnownExportName[];

/** The export that a list with these headings is; undefined if it is none, or could be several. */
export function recognize(headings: readonly string[]): KnownExportName | undefined {
  const present = new Set(headings.map(keyOf));
  const matching = knownExportNames.filter((name) =>
    knownExport(name).signatures.some((signature) =>
      signature.every((heading) => present.has(keyOf(heading))),
    ),
  );
  return matching.length === 1 ? matching[0] : undefined;
}

export function knownExport(name: KnownExportName): KnownExport {
  return knownExports[name];
}
