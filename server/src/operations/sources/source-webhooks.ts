import { endWithin } from '../../domain/api-keys/key-authority.ts';
import { findSourceWebhook, resetSourceWebhook } from '../../domain/sources/source/source-webhook.ts';
import { data, type OperationHandlers } from '../operation-handler.ts';
import { authorityOf } from '../operators/caller-authority.ts';
import { requireAuthorityOverSource } from './sources.ts';

export const sourceWebhookHandlers = {
  getSourceWebhook: (context, { params }) =>
    data(findSourceWebhook(context, context.workspaces, params.sourceId, context.publicUrl)),

  resetSourceWebhook: async (context, { params }) => {
    const { change, workspaces } = context;
    await requireAuthorityOverSource(context, params.sourceId);
    const callerEnd = endWithin(await authorityOf(context), undefined);
    await resetSourceWebhook(change, workspaces, params.sourceId, callerEnd);
    return { body: undefined };
  },
} satisfies OperationHandlers;
