import { testLoginProvider } from '../../domain/login-providers/connected-providers.ts';
import {
  createLoginProvider,
  deleteLoginProvider,
  findLoginProvider,
  listLoginProviders,
  updateLoginProvider,
} from '../../domain/login-providers/login-providers.ts';
import { data, noContent, type OperationHandlers } from '../operation-handler.ts';
import { requireLastingCaller } from '../operators/caller-authority.ts';

const logsInLater = 'anyone who controls a login provider can still log in as members';

export const loginProviderHandlers = {
  listLoginProviders: (view) => data(listLoginProviders(view)),

  createLoginProvider: async (context, { body }) => {
    const { change, workspaces, apiUrl } = context;
    await requireLastingCaller(context, logsInLater);
    const provider = await createLoginProvider(change, body, workspaces);
    return { body: { data: provider }, location: `${apiUrl}/login-providers/${provider.id}` };
  },

  getLoginProvider: (view, { params }) => data(findLoginProvider(view, params.providerId)),

  updateLoginProvider: async (context, { params, body }) => {
    const { change, workspaces, requireMatch } = context;
    await requireLastingCaller(context, logsInLater);
    return data(updateLoginProvider(change, params.providerId, body, workspaces, requireMatch));
  },

  testLoginProvider: (view, { params }) =>
    data(testLoginProvider(view, params.providerId, view.workspaces.secrets, view.loginProviders)),

  deleteLoginProvider: async (context, { params }) => {
    await requireLastingCaller(context, logsInLater);
    return noContent(deleteLoginProvider(context.change, params.providerId, context.requireMatch));
  },
} satisfies OperationHandlers;
