import type { ServiceSettings } from '../src/runtime/operation-runner.ts';
import { noEmailLimits } from './test-server.ts';
import { testWorkspaces } from './workspace-settings.ts';

/** The settings of operations that a test runs without a server. */
export const testOperationSettings: ServiceSettings = {
  publicUrl: 'http://localhost',
  apiUrl: 'http://localhost/api/v1',
  eventRetentionDays: 90,
  sendsEmail: false,
  defaultRateLimit: 0,
  emailLimits: noEmailLimits,
  workspaces: testWorkspaces,
};
