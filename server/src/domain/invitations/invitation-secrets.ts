import { sealedTextsOf } from '../../storage/sql/sealed-columns.ts';
import { placeOfInvitationCode } from './invitation.ts';

/** The codes of invitations for everyone who has the link. */
export const invitationSecrets = sealedTextsOf({
  table: 'invitations',
  places: { sealed_code: placeOfInvitationCode },
  name: "'invitation ' || id",
});
