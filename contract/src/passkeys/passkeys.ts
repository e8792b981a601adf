import type { Static } from 'typebox';
import { maxPasskeys } from '../shared/limits.ts';
import { named, Resource } from '../shared/resource.ts';
import { dateTime, exampleIds, flag, nullable, shape, text, uuid } from '../shared/schemas.ts';

export const MemberPasskey = shape(
  'MemberPasskey',
  'A passkey with which a member logs in without an email.',
  {
    id: uuid('The passkey.', exampleIds.passkey),
    name: text('The name that the member chose.', 'My phone'),
    createdAt: dateTime('When the passkey was added.'),
    lastUsedAt: nullable(
      dateTime('When the member last logged in with it; null if never.', '2026-02-14T18:05:12.345Z'),
    ),
    synced: flag('Whether it is synchronized between devices, as it reported when it was last used.', true),
    disabled: flag(
      'Whether it cannot be used at present: it was made for another primary host, or the site has no passkeys.',
      false,
    ),
  },
);
export type MemberPasskey = Static<typeof MemberPasskey>;

const passkeys = new Resource({
  tag: 'Sessions',
  name: 'passkey',
  read: 'members:read',
  write: 'members:block',
});

export const memberPasskeyOperations = named({
  listMemberPasskeys: passkeys.listAll({
    path: '/members/{memberId}/passkeys',
    summary: 'List the passkeys of a member',
    description: `The passkeys of the member, at most ${maxPasskeys}, newest first.`,
    returns: MemberPasskey,
  }),
  deleteMemberPasskeys: passkeys.delete({
    path: '/members/{memberId}/passkeys',
    summary: 'Remove all passkeys of a member',
    description:
      'Passkeys that are removed can no longer be used to log in. The member gets an email about it. Sessions that were ' +
      'opened with them stay; end them if they may be those of somebody else.',
    unconditional: true,
    success: 'The member has no passkey left.',
  }),
  deleteMemberPasskey: passkeys.delete({
    path: '/members/{memberId}/passkeys/{passkeyId}',
    summary: 'Remove one passkey of a member',
    description: 'The passkey can no longer be used to log in. The member gets an email about it.',
    unconditional: true,
    success: 'The passkey is removed.',
  }),
});
