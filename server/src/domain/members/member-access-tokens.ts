import type { AccessToken, CreateAccessToken, CreatedAccessToken } from '@gatehouse/contract';
import { ApiError } from '../../base/api-error.ts';
import type { Page, PageQuery } from '../../base/page.ts';
import type { SiteView } from '../../storage/site-view.ts';
import { createAccessToken, deleteAccessToken, listAccessTokens } from '../access-tokens/access-tokens.ts';
import type { Change } from '../events/change.ts';
import { memberNotFound } from './member.ts';
import { lockMemberRow, selectMember } from './member-store.ts';

/** @throws {ApiError} `member_not_found`, `invalid_cursor` */
export async function listMemberAccessTokens(
  view: SiteView,
  memberId: string,
  query: PageQuery,
): Promise<Page<AccessToken>> {
  if (!(await selectMember(view, memberId))) throw memberNotFound();
  return listAccessTokens(view, memberId, query);
}

/** @throws {ApiError} `member_not_found`, `member_blocked`, `invalid_request`, `too_many_access_tokens` */
export async function createMemberAccessToken(
  change: Change,
  memberId: string,
  input: CreateAccessToken,
): Promise<CreatedAccessToken> {
  const member = await lockMemberRow(change, memberId);
  if (!member) throw memberNotFound();
  if (member.status === 'blocked') {
    throw new ApiError('member_blocked', 'This member is blocked. Unblock the member first.');
  }
  return createAccessToken(change, memberId, input);
}

/** @throws {ApiError} `member_not_found`, `access_token_not_found` */
export async function deleteMemberAccessToken(
  change: Change,
  memberId: string,
  tokenId: string,
): Promise<void> {
  if (!(await lockMemberRow(change, memberId))) throw memberNotFound();
  await deleteAccessToken(change, memberId, tokenId);
}
