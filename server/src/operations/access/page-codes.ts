import type { Input, Operations } from '@gatehouse/contract';
import { grants } from '@gatehouse/contract/permissions';
import type { Timestamp } from '../../base/clock.ts';
import { endWithin } from '../../domain/api-keys/key-authority.ts';
import {
  checkExpiry,
  createPageCode,
  deletePageCode,
  findPageCode,
  findStoredPageCode,
  listPageCodes,
  prepareCode,
  replacePageCode,
  updatePageCode,
} from '../../domain/page-codes/page-codes.ts';
import {
  type ChangingContext,
  data,
  noContent,
  type OperationContext,
  type OperationHandlers,
  page,
  preparedHandler,
} from '../operation-handler.ts';
import { authorityOf } from '../operators/caller-authority.ts';

export const pageCodeHandlers = {
  listPageCodes: (view, { query }) => page(listPageCodes(view, query, secretsFor(view))),

  createPageCode: preparedHandler(
    (view, { body }: Input<Operations['createPageCode']>) => prepareCode(view, body, [body.label]),
    async (context, { body }, hashed) => {
      const { change, workspaces, apiUrl } = context;
      const expiresAt = body.expiresAt === undefined ? undefined : checkExpiry(body.expiresAt, change.now);
      const code = await createPageCode(
        change,
        { input: body, expiresAt: endWithin(await authorityOf(context), expiresAt), hashed },
        workspaces.secrets,
      );
      return { body: { data: code }, location: `${apiUrl}/page-codes/${code.id}` };
    },
  ),

  getPageCode: (view, { params }) => data(findPageCode(view, params.pageCodeId, secretsFor(view))),

  updatePageCode: async (context, { params, body }) => {
    const { change, requireMatch } = context;
    return data(
      updatePageCode(change, params.pageCodeId, body, { ...(await partsOf(context)), requireMatch }),
    );
  },

  replacePageCode: preparedHandler(
    async (view, { params, body }: Input<Operations['replacePageCode']>) => {
      const { label } = await findStoredPageCode(view, params.pageCodeId);
      return prepareCode(view, body, [label]);
    },
    async (context, { params }, hashed) =>
      data(replacePageCode(context.change, params.pageCodeId, hashed, await partsOf(context))),
  ),

  deletePageCode: ({ change, workspaces, requireMatch }, { params }) =>
    noContent(deletePageCode(change, params.pageCodeId, workspaces.secrets, requireMatch)),
} satisfies OperationHandlers;

/** A code opens pages to everyone who knows it, as changing the rules does. */
function secretsFor({ permissions, workspaces }: OperationContext) {
  return grants(permissions, 'site:write') ? workspaces.secrets : undefined;
}

/** A key that expires gives no code a longer life than its own. */
async function partsOf(context: ChangingContext) {
  const authority = await authorityOf(context);
  const checkEnd = (expiresAt: Timestamp | null) => void endWithin(authority, expiresAt);
  return { secrets: context.workspaces.secrets, checkEnd };
}
