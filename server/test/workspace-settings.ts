import type { WorkspaceSettings } from '../src/connectors/workspaces.ts';
import { secretKey } from './secret-key.ts';

/** Allows workspaces on this machine. */
export const testNetworks = ['127.0.0.0/8', '::1'];

export const testWorkspaces: WorkspaceSettings = {
  outgoing: { allowedNetworks: testNetworks, allowsHttp: true },
  notionUrl: 'https://api.notion.com',
  secretKeys: [secretKey],
};
