import {
  createMemberAccessToken,
  deleteMemberAccessToken,
  listMemberAccessTokens,
} from '../domain/members/member-access-tokens.ts';
import type { OperationHandlers } from './operation-handler.ts';

export const accessTokenHandlers = {
  listAccessTokens: async ({ db, siteId, now }, { params, query }) => ({
    body: await listMemberAccessTokens(db, siteId, params.memberId, query, now),
  }),

  createAccessToken: async ({ change }, { params, body }) => ({
    body: { data: await createMemberAccessToken(change, params.memberId, body) },
  }),

  deleteAccessToken: async ({ change }, { params: { memberId, tokenId } }) => {
    await deleteMemberAccessToken(change, memberId, tokenId);
    return { body: undefined };
  },
} satisfies OperationHandlers;
