import { discourse } from './communities/discourse.ts';
import { luma } from './communities/luma.ts';
import { moodle } from './communities/moodle.ts';
import { wordpress } from './communities/wordpress.ts';
import { googleContacts } from './contacts/google-contacts.ts';
import { googleWorkspace } from './contacts/google-workspace.ts';
import { outlook } from './contacts/outlook.ts';
import type { KnownExport } from './known-export.ts';
import { keyOf } from './known-reading.ts';
import { memberful } from './memberships/memberful.ts';
import { memberstack } from './memberships/memberstack.ts';
import { paidMembershipsPro } from './memberships/paid-memberships-pro.ts';
import { patreon } from './memberships/patreon.ts';
import { steady } from './memberships/steady.ts';
import { beehiiv } from './newsletters/beehiiv.ts';
import { ghost } from './newsletters/ghost.ts';
import { kit } from './newsletters/kit.ts';
import { mailchimp } from './newsletters/mailchimp.ts';
import { substack } from './newsletters/substack.ts';

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
