/** All pages that a visitor of a site sees, as text. Nothing here depends on HTTP or the store. */
export { type AccountPage, type AccountSession, accountPage } from './account/account-page.ts';
export { type CheckEmailPage, checkEmailPage } from './login/check-email-page.ts';
export { codeScript } from './login/code-script.ts';
export { type ConfirmLoginPage, confirmLoginPage, confirmLoginScript } from './login/confirm-login-page.ts';
export { type InvalidLinkPage, invalidLinkPage } from './login/invalid-link-page.ts';
export { type LoginPage, loginPage } from './login/login-page.ts';
export { type OtherSessionsPage, otherSessionsPage } from './login/other-sessions-page.ts';
export { type PageCodePage, pageCodePage } from './login/page-code-page.ts';
export { passkeyScript } from './login/passkey-script.ts';
export { sendOnceScript } from './login/send-once-script.ts';
export { type MessagePage, messagePage, noOperatorPage, noSitePage } from './message-page.ts';
export { type NoAccessPage, noAccessPage } from './no-access-page.ts';
export type { PageFrame, PageSite } from './page.ts';
export { icon } from './page.ts';
export type { PageScript } from './page-script.ts';
export { type SetupPage, setupPage } from './setup-page.ts';
export { styleSheet } from './style/style-sheet.ts';
