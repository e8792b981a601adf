import type { InvitingParts } from '../../domain/invitations/new-invitations.ts';
import type { ChangingContext } from '../operation-handler.ts';
import { authorityOf } from '../operators/caller-authority.ts';

/** What the caller of an operation needs to invite people. The keys of the site are locked. @throws {ApiError} `invalid_api_key` */
export async function invitingParts(context: ChangingContext): Promise<InvitingParts> {
  const authority = await authorityOf(context);
  return { authority, secrets: context.workspaces.secrets, emails: context.emails };
}
