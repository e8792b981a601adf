import { hash } from 'node:crypto';
import type { Site, SiteHost, SiteLinks, SiteScheme } from '@gatehouse/contract';
import { withoutDefaultPort as domainWithoutDefaultPort, toAsciiDomain } from '@gatehouse/contract/domains';
import { defaultIdentityHeaders, type IdentityHeaders } from '@gatehouse/contract/identity-headers';
import { maxLogoBytes } from '@gatehouse/contract/limits';
import { invalidRequest } from '../../base/api-error.ts';
import type { Timestamp } from '../../base/clock.ts';
import { timeOfId } from '../../base/ids.ts';
import { checkName } from '../../base/text/text.ts';
import { availableLanguages } from '../../i18n/languages.ts';
import { memberPages } from './page-addresses.ts';
import { noLinks } from './site-links.ts';

export { defaultScheme, isThisMachine } from '@gatehouse/contract/domains';

/** A site as it is stored. */
export interface StoredSite {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly domain: string | null;
  /** The host of the dashboard; only the operator tenant has one. */
  readonly operatorHost: string | null;
  readonly scheme: SiteScheme;
  /** The hosts after the primary one. */
  readonly furtherHosts: readonly SiteHost[];
  /** Null for all. */
  readonly languages: readonly string[] | null;
  readonly timeZone: string;
  readonly signUpPolicy: Site['signUp']['policy'];
  readonly signUpDomains: Site['signUp']['domains'];
  readonly maxSessions: number;
  readonly color: string | null;
  readonly logoVersion: string | null;
  /** Null for the default. */
  readonly identityHeaders: IdentityHeaders | null;
  readonly membersCreateTokens: boolean;
  readonly allowsAccessRequests: boolean;
  /** Whether it has login providers, enabled or not. It changes with them. */
  readonly hasLoginProviders: boolean;
  readonly allowsPasskeys: boolean;
  /** Null while none was ever set. */
  readonly links: SiteLinks | null;
  /** Whether a member has ever added a passkey. */
  readonly hasPasskeys: boolean;
  readonly showsSetUpSteps: boolean;
  readonly status: Site['status'];
  readonly createdAt: Timestamp;
}

/** A new site, with what it has until someone changes it. */
export function newSite(
  values: Pick<StoredSite, 'id' | 'slug' | 'title' | 'scheme'> & Partial<StoredSite>,
): StoredSite {
  return {
    domain: null,
    operatorHost: null,
    furtherHosts: [],
    languages: null,
    timeZone: 'UTC',
    signUpPolicy: 'members_only',
    signUpDomains: [],
    maxSessions: 50,
    color: null,
    logoVersion: null,
    identityHeaders: null,
    membersCreateTokens: false,
    allowsAccessRequests: false,
    hasLoginProviders: false,
    allowsPasskeys: true,
    links: null,
    hasPasskeys: false,
    showsSetUpSteps: true,
    status: 'active',
    createdAt: timeOfId(values.id),
    ...values,
  };
}

export interface Logo {
  readonly mediaType: string;
  /** In base64. */
  readonly content: string;
}

export function toSite(stored: StoredSite): Site {
  const {
    operatorHost,
    furtherHosts,
    signUpPolicy,
    signUpDomains,
    logoVersion,
    hasLoginProviders,
    hasPasskeys,
    ...values
  } = stored;
  const { domain, scheme, languages, identityHeaders, links } = values;
  const site = {
    ...values,
    domain: domain ?? operatorHost,
    hosts: domain === null ? [] : [primaryHost(domain, scheme), ...furtherHosts],
    languages: [...(languages ?? availableLanguages)],
    signUp: { policy: signUpPolicy, domains: signUpDomains },
    logoUrl: null,
    identityHeaders: identityHeaders ?? { ...defaultIdentityHeaders },
    links: links ?? { ...noLinks },
  };
  return { ...site, logoUrl: logoUrlOf(site, logoVersion) };
}

function primaryHost(domain: string, scheme: SiteScheme): SiteHost {
  return { domain, scheme, redirect: false };
}

/** The URL of the site for visitors, `https://club.example.org`; null while it has no domain. */
export function originOf({ domain, scheme }: Pick<Site, 'domain' | 'scheme'>): string | null {
  return domain === null ? null : `${scheme}://${domain}`;
}

/** The part of the logo's URL that changes with the logo. */
export function logoVersionOf({ content }: Logo): string {
  return hash('sha256', content, 'hex').slice(0, 8);
}

function logoUrlOf(site: Pick<Site, 'domain' | 'scheme'>, version: string | null): string | null {
  const origin = originOf(site);
  return origin && version && `${origin}${memberPages.prefix}/logo?v=${version}`;
}

const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const domainForm =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Names of paths below `/dashboard`: the pages of a site with such a slug could not be opened. */
const dashboardNames: ReadonlySet<string> = new Set(
  'api assets check code link login logo logout me other-sessions setup sites'.split(' '),
);

export function checkSlug(slug: string): string {
  if (!slugForm.test(slug))
    throw invalidRequest(
      '/slug',
      'slug must have 1 to 63 lowercase letters, digits and hyphens, and must not begin or end with a hyphen.',
    );
  if (dashboardNames.has(slug))
    throw invalidRequest('/slug', `${slug} is the name of a page of the dashboard. Choose another slug.`);
  return slug;
}

export function checkTitle(title: string): string {
  return checkName('title', title.trim().normalize('NFC'));
}

/** The host name of a site in its ASCII form (RFC 5890), with a port if it has one. */
export function checkDomain(domain: string, pointer = '/domain'): string {
  const [, host = '', port] = /^(.*?)(?::(\d{1,5}))?$/.exec(domain.trim()) ?? [];
  const ascii = toAsciiDomain(host);
  const number = port === undefined ? undefined : Number(port);
  if (ascii !== null && domainForm.test(ascii) && (number === undefined || (number > 0 && number < 65_536))) {
    return number === undefined ? ascii : `${ascii}:${number}`;
  }
  throw invalidRequest(
    pointer,
    'domain must be a host such as club.example.org, without scheme and path, and with a port only if it is not the default.',
  );
}

/** A domain without the default port. */
export function withoutDefaultPort(domain: string, scheme: SiteScheme): string {
  return domainWithoutDefaultPort(domain, scheme);
}

export function checkLanguages(languages: readonly string[]): string[] {
  const unknown = languages.findIndex((language) => !availableLanguages.includes(language));
  if (unknown === -1) return [...new Set(languages)];
  throw invalidRequest(`/languages/${unknown}`, `languages must be one of ${availableLanguages.join(', ')}.`);
}

/** The part of an email address after the `@`, in its ASCII form. @throws {ApiError} `invalid_request` */
export function checkEmailDomain(domain: string, pointer: string): string {
  const ascii = toAsciiDomain(domain.trim().replace(/^@/, ''));
  if (ascii !== null && domainForm.test(ascii)) return ascii;
  throw invalidRequest(pointer, 'domain must be the part of an email address after the @.');
}

export function checkSignUp(signUp: Site['signUp']): Site['signUp'] {
  const domains = signUp.domains.map(({ domain, accessGroupIds }, index) => ({
    domain: checkEmailDomain(domain, `/signUp/domains/${index}/domain`),
    accessGroupIds: [...new Set(accessGroupIds.map((id) => id.toLowerCase()))],
  }));
  const twice = domains.findIndex(
    ({ domain }, index) => domains.findIndex((each) => each.domain === domain) < index,
  );
  if (twice !== -1)
    throw invalidRequest(`/signUp/domains/${twice}/domain`, 'Each domain must appear only once.');
  if (signUp.policy === 'allowed_domains' && domains.length === 0) {
    throw invalidRequest('/signUp/domains', 'allowed_domains requires at least one domain.');
  }
  return { policy: signUp.policy, domains };
}

const signatures: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('\xff\xd8\xff', 'latin1')),
  'image/webp': (bytes) =>
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP',
};

/** Parses an image from a `data:` URL (RFC 2397) that matches the contract's pattern. */
export function checkLogo(url: string): Logo {
  const [, mediaType = '', content = ''] = /^data:([^;]+);base64,(.*)$/.exec(url) ?? [];
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length <= maxLogoBytes && signatures[mediaType]?.(bytes)) {
    return { mediaType, content: bytes.toString('base64') };
  }
  throw invalidRequest('/logo', 'logo must be a PNG, JPEG or WebP image of at most 128 KiB.');
}

/** The kind of login on a site: members on the site's own domain, or operators on the dashboard. */
export type LoginSurface = 'members' | 'operators';

/** No user can create such a slug: theirs begin with a letter or a digit. */
export const operatorsSlug = '-operators';

/** The login surface of a site. Operators are the members of a hidden site, the operator tenant. */
export function loginSurfaceOf({ slug }: Pick<Site, 'slug'>): LoginSurface {
  return slug === operatorsSlug ? 'operators' : 'members';
}
