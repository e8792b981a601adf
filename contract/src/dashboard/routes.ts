// Generated from the operations by `npm run openapi`. Do not edit.

/** The URL path of the dashboard API. */
export const dashboardApiPrefix = '/dashboard/api';

/** Method and path of each operation, relative to the prefix. */
export const dashboardRoutes = {
  getMe: 'GET /me',
  updateMe: 'PATCH /me',
  createOperatorToken: 'POST /token',
  createSite: 'POST /sites',
  listOwnSessions: 'GET /sessions',
  endOwnSession: 'DELETE /sessions/{sessionId}',
  logOut: 'POST /logout',
  listPasskeys: 'GET /passkeys',
  createPasskeyOptions: 'POST /passkeys/options',
  addPasskey: 'POST /passkeys',
  deletePasskey: 'DELETE /passkeys/{passkeyId}',
  createPasskeyLoginOptions: 'POST /passkey-login/options',
  logInWithPasskey: 'POST /passkey-login',
  previewLoginPage: 'GET /preview/login',
  previewLoginEmail: 'GET /preview/email',
  listSavedViews: 'GET /saved-views',
  createSavedView: 'POST /saved-views',
  updateSavedView: 'PATCH /saved-views/{viewId}',
  deleteSavedView: 'DELETE /saved-views/{viewId}',
  getMailServer: 'GET /mail-server',
  testMailServer: 'POST /mail-server/test',
  streamSiteChanges: 'GET /sites/{siteId}/changes',
} as const;
