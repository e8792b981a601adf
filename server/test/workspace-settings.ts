import type { WorkspaceSettings } from '../src/domain/sources/workspaces.ts';

/** Allows workspaces on this machine. */
export const testNetworks = ['127.0.0.0/8', '::1'];

/** A key for secrets, the same in all tests. */
export const testSecretKey = 'dGhpcyBpcyBhIGtleSBvZiAyNTYgYml0cyBmb3IgdGU';

export const testWorkspaces: WorkspaceSettings = {
  outgoing: { allowedNetworks: testNetworks, allowsHttp: true },
  notionUrl: 'https://api.notion.com',
  secretKeys: [testSecretKey],
};
