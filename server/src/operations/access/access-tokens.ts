import { requireTimestamp } from '../../base/api-error.ts';
import { endWithin } from '../../domain/api-keys/key-authority.ts';
import {
  createMemberAccessToken,
  deleteMemberAccessToken,
  listMemberAccessTokens,
} from '../../domain/members/member-access-tokens.ts';
import { noContent, type OperationHandlers, page } from '../operation-handler.ts';
import { authorityOf } from '../operators/caller-authority.ts';

export const accessTokenHandlers = {
  listAccessTokens: (view, { params, query }) => page(listMemberAccessTokens(view, params.memberId, query)),

  createAccessToken: async (context, { params, body }) => {
    const { expiresAt: until } = body;
    const wanted = until ? requireTimestamp('/expiresAt', until) : until;
    const expiresAt = endWithin(await authorityOf(context), wanted);
    const input = { ...body, expiresAt };
    return { body: { data: await createMemberAccessToken(context.change, params.memberId, input) } };
  },

  deleteAccessToken: ({ change }, { params: { memberId, tokenId } }) =>
    noContent(deleteMemberAccessToken(change, memberId, tokenId)),
} satisfies OperationHandlers;
