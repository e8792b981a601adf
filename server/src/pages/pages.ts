/** Everything that a visitor of a site sees, as text. Nothing here knows of HTTP or the store. */
export { type AccountPage, type AccountSession, accountPage } from './account-page.ts';
export { type CheckMailPage, checkMailPage } from './check-mail-page.ts';
export { deadLinkPage } from './dead-link-page.ts';
export { icon } from './icon.ts';
export { type LoginPage, loginPage } from './login-page.ts';
export { type MessagePage, messagePage } from './message-page.ts';
export { type NoAccessPage, noAccessPage } from './no-access-page.ts';
export { noOperatorPage } from './no-operator-page.ts';
export { noSitePage } from './no-site-page.ts';
export type { PageFrame, PageSite } from './page.ts';
export type { PageScript } from './page-script.ts';
export { passkeyScript } from './passkey-script.ts';
export { type PressPage, pressPage, pressScript } from './press-page.ts';
export { styleSheet } from './style-sheet.ts';
export { type WelcomePage, welcomePage } from './welcome-page.ts';
