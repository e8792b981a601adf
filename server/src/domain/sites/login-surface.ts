import type { Site } from '@gatehouse/contract';

/** The kind of login on a site: members on the site's own domain, or operators on the dashboard. */
export type LoginSurface = 'members' | 'operators';

/** No user can create such a slug: theirs begin with a letter or a digit. */
export const operatorsSlug = '-operators';

/** The login surface of a site. Operators are the members of a hidden site, the operator tenant. */
export function loginSurfaceOf({ slug }: Pick<Site, 'slug'>): LoginSurface {
  return slug === operatorsSlug ? 'operators' : 'members';
}
