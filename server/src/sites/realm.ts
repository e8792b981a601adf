import type { Site } from '@gatehouse/contract';

/** Where those who belong to a site log in: members on the site's own domain, operators at the dashboard. */
export interface Realm {
  /** What the addresses of its pages begin with. */
  readonly prefix: string;
  /** Where a login leads unless something else was asked for. */
  readonly front: string;
  /** The picture of a page of a site that has no logo; null where it is the site's to have one. */
  readonly icon: string | null;
  readonly cookies: { readonly session: string; readonly login: string; readonly device: string };
  /** Whether a login may lead to a path of the site. */
  readonly leadsTo: (path: string) => boolean;
}

/** No user can make such a slug: theirs begin with a letter or a digit. */
export const operatorsSlug = '-operators';

export const memberRealm: Realm = {
  prefix: '/_gatehouse',
  front: '/',
  icon: null,
  cookies: { session: 'gatehouse_session', login: 'gatehouse_login', device: 'gatehouse_device' },
  leadsTo: (path) => !path.startsWith('/_gatehouse/') || path === '/_gatehouse/account',
};

export const operatorRealm: Realm = {
  prefix: '/dashboard',
  front: '/dashboard/',
  icon: '/dashboard/icon.svg',
  cookies: {
    session: 'gatehouse_operator',
    login: 'gatehouse_operator_login',
    device: 'gatehouse_operator_device',
  },
  leadsTo: (path) =>
    /^\/dashboard\/(?!(?:login|check|code|link|welcome|sign-out|api|assets)(?:\/|$))/.test(path),
};

/** The realm of a site's people. Operators are the people of one hidden site. */
export function realmOf({ slug }: Pick<Site, 'slug'>): Realm {
  return slug === operatorsSlug ? operatorRealm : memberRealm;
}
