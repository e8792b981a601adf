/** All pages that a visitor of a site sees, as text. Nothing here depends on HTTP or the store. */
export { type AccountPage, type AccountSession, accountPage } from './account-page.ts';
export { type CheckEmailPage, checkEmailPage } from './check-email-page.ts';
export { codeScript } from './code-script.ts';
export { type ConfirmLoginPage, confirmLoginPage, confirmLoginScript } from './confirm-login-page.ts';
export { icon } from './icon.ts';
export { type InvalidLinkPage, invalidLinkPage } from './invalid-link-page.ts';
export { type LoginPage, loginPage } from './login-page.ts';
export { type MessagePage, messagePage } from './message-page.ts';
export { type NoAccessPage, noAccessPage } from './no-access-page.ts';
export { noOperatorPage } from './no-operator-page.ts';
export { noSitePage } from './no-site-page.ts';
export { type OtherSessionsPage, otherSessionsPage } from './other-sessions-page.ts';
export type { PageFrame, PageSite } from './page.ts';
export type { PageScript } from './page-script.ts';
export { passkeyScript } from './passkey-script.ts';
export { sendOnceScript } from './send-once-script.ts';
export { type SetupPage, setupPage } from './setup-page.ts';
export { styleSheet } from './style/style-sheet.ts';
