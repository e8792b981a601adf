import { mailServerOperations } from './mail-server.ts';
import { meOperations } from './me.ts';
import type { DashboardOperation } from './operation.ts';
import { passkeyLoginOperations } from './passkey-login.ts';
import { passkeyOperations } from './passkeys.ts';
import { previewOperations } from './previews.ts';
import { savedViewOperations } from './saved-views.ts';
import { sessionOperations } from './sessions.ts';
import { streamSiteChanges } from './site-changes.ts';
import { siteOperations } from './sites.ts';

/** The URL path of the dashboard API. */
export const dashboardApiPrefix = '/dashboard/api';

/** Every operation of the dashboard API, by ID. */
export const dashboardOperations = {
  ...meOperations,
  ...siteOperations,
  ...sessionOperations,
  ...passkeyOperations,
  ...passkeyLoginOperations,
  ...previewOperations,
  ...savedViewOperations,
  ...mailServerOperations,
} as const satisfies Record<string, DashboardOperation>;

/** The operations whose responses do not end by themselves. */
export const dashboardStreamOperations = { streamSiteChanges } as const satisfies Record<
  string,
  DashboardOperation
>;

export type DashboardOperations = typeof dashboardOperations;

export type DashboardOperationId = keyof DashboardOperations;
