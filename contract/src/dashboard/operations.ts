import { getMe, updateMe } from './me.ts';
import type { DashboardOperation } from './operation.ts';
import { createPasskeyLoginOptions, logInWithPasskey } from './passkey-login.ts';
import { addPasskey, createPasskeyOptions, deletePasskey, listPasskeys } from './passkeys.ts';
import { previewLoginEmail, previewLoginPage } from './previews.ts';
import { endOwnSession, listOwnSessions, logOut } from './sessions.ts';
import { streamSiteChanges } from './site-changes.ts';
import { createOperatorToken, createSite } from './sites.ts';

/** The URL path of the dashboard API. */
export const dashboardApiPrefix = '/dashboard/api';

/** Every operation of the dashboard API, by ID. */
export const dashboardOperations = {
  getMe,
  updateMe,
  createOperatorToken,
  createSite,
  listOwnSessions,
  endOwnSession,
  logOut,
  listPasskeys,
  createPasskeyOptions,
  addPasskey,
  deletePasskey,
  createPasskeyLoginOptions,
  logInWithPasskey,
  previewLoginPage,
  previewLoginEmail,
} as const satisfies Record<string, DashboardOperation>;

/** The operations whose responses do not end by themselves. */
export const dashboardStreamOperations = { streamSiteChanges } as const satisfies Record<
  string,
  DashboardOperation
>;

export type DashboardOperations = typeof dashboardOperations;

export type DashboardOperationId = keyof DashboardOperations;
