/** The addresses of the login pages. */
export interface PageAddresses {
  /** The path prefix of the pages. */
  readonly prefix: string;
  /** The default destination after a login. */
  readonly front: string;
  /** The icon of the pages of a site without a logo. */
  readonly icon: string;
  /** Whether a login may lead to a path of the site. */
  readonly leadsTo: (path: string) => boolean;
}

/** The page on the primary host that leads a logged-in browser back to another host of the site. */
export const returnToHostPath = '/_gatehouse/host';

/** The pages of members, on the site's own domain. */
export const memberPages: PageAddresses = {
  prefix: '/_gatehouse',
  front: '/',
  icon: '/_gatehouse/icon',
  leadsTo: (path) =>
    !path.startsWith('/_gatehouse/') || ['/_gatehouse/account', returnToHostPath].includes(path),
};

/** The pages of operators, on the dashboard. */
export const operatorPages: PageAddresses = {
  prefix: '/dashboard',
  front: '/dashboard/',
  icon: '/dashboard/icon.svg',
  leadsTo: (path) =>
    /^\/dashboard\/(?!(?:login|check|code|link|other-sessions|setup|logout|api|assets)(?:\/|$))/.test(path),
};

/** The field of the login page's address that says that a form was not sent, because the visitor had to log in first. */
export const unsentField = 'unsent';

/** The field of the login page's address that says that a page code gives access too. */
export const offersCodeField = 'code';

/** The field of the address of the page for page codes that says that a login gives access too. */
export const offersLoginField = 'login';

/** What the login page says beside its form. */
export interface LoginNotes {
  /** That a form was not sent. */
  readonly isUnsent?: boolean;
  /** That a page code gives access too. */
  readonly offersCode?: boolean;
}

/** The path of the login page that continues to `next`, which must have passed `checkNext`. */
export function loginPath(
  { prefix, front }: PageAddresses,
  next: string,
  { isUnsent, offersCode }: LoginNotes = {},
): string {
  return withFields(`${prefix}/login`, [
    ...nextFields(next, front),
    ...(isUnsent ? [`${unsentField}=yes`] : []),
    ...(offersCode ? [`${offersCodeField}=yes`] : []),
  ]);
}

/**
 * The path of the page on which a page code is entered, at each host of a site. It continues to `next`.
 * @param offersLogin whether a login gives access too
 */
export function pageCodePath(next: string, offersLogin = false): string {
  return withFields(`${memberPages.prefix}/page-code`, [
    ...nextFields(next, memberPages.front),
    ...(offersLogin ? [`${offersLoginField}=yes`] : []),
  ]);
}

function nextFields(next: string, front: string): string[] {
  return next === front ? [] : [`next=${encodeURIComponent(next.toWellFormed())}`];
}

function withFields(path: string, fields: readonly string[]): string {
  return fields.length === 0 ? path : `${path}?${fields.join('&')}`;
}

/** The path of the page on which somebody asks to join, or for access to the page `next`, which must have passed `checkNext`. */
export function joinPath({ prefix, front }: PageAddresses, next: string): string {
  const path = `${prefix}/join`;
  return next === front ? path : `${path}?next=${encodeURIComponent(next.toWellFormed())}`;
}

/** The path of the page that offers a passkey after a login. It continues to `next`, which must have passed `checkNext`. */
export function passkeyOfferPath(next: string): string {
  return withFields(`${memberPages.prefix}/passkeys/offer`, nextFields(next, memberPages.front));
}

/** Where the form is sent that begins a login at a provider. */
export function providerLoginPath(providerId: string): string {
  return `${memberPages.prefix}/login/with/${providerId}`;
}
