import { hash } from 'node:crypto';
import type { Site, SiteHost, SiteScheme } from '@gatehouse/contract';
import { withoutDefaultPort as domainWithoutDefaultPort, toAsciiDomain } from '@gatehouse/contract/domains';
import { maxLogoBytes } from '@gatehouse/contract/limits';
import { invalidRequest } from '../../base/api-error.ts';
import { checkName } from '../../base/text/text.ts';
import { availableLanguages } from '../../i18n/languages.ts';
import { toBoolean } from '../../storage/database.ts';
import { readIdentityHeaders } from './identity-header-names.ts';
import { memberPages } from './page-addresses.ts';

export { defaultScheme, isThisMachine } from '@gatehouse/contract/domains';

export interface SiteRow {
  id: string;
  slug: string;
  title: string;
  domain: string | null;
  /** The host of the dashboard; only the operator tenant has one. */
  operator_host: string | null;
  scheme: string;
  /** The hosts after the primary one. JSON. */
  further_hosts: string;
  languages: string | null;
  time_zone: string;
  sign_up_policy: string;
  sign_up_domains: string;
  max_sessions: number;
  color: string | null;
  logo_version: string | null;
  /** JSON; null for the default. */
  identity_headers: string | null;
  members_create_tokens: boolean | number;
  status: string;
  created_at: string;
}

export interface Logo {
  readonly mediaType: string;
  /** In base64. */
  readonly content: string;
}

export function toSite(row: SiteRow): Site {
  const scheme = row.scheme as SiteScheme;
  const site = {
    id: row.id,
    slug: row.slug,
    title: row.title,
    domain: row.domain ?? row.operator_host,
    scheme,
    hosts: row.domain === null ? [] : [primaryHost(row.domain, scheme), ...furtherHostsOf(row)],
    languages: row.languages === null ? [...availableLanguages] : JSON.parse(row.languages),
    timeZone: row.time_zone,
    signUp: {
      policy: row.sign_up_policy as Site['signUp']['policy'],
      domains: JSON.parse(row.sign_up_domains),
    },
    maxSessions: row.max_sessions,
    color: row.color,
    logoUrl: null,
    identityHeaders: readIdentityHeaders(row.identity_headers),
    membersCreateTokens: toBoolean(row.members_create_tokens),
    status: row.status as Site['status'],
    createdAt: row.created_at,
  };
  return { ...site, logoUrl: logoUrlOf(site, row.logo_version) };
}

export function furtherHostsOf(row: Pick<SiteRow, 'further_hosts'>): SiteHost[] {
  return JSON.parse(row.further_hosts);
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

/** How many sessions a member may have at the same time on a site that has not changed it. */
export const defaultMaxSessions = 50;
/** The time zone of a site that has not changed it. */
export const defaultTimeZone = 'UTC';

const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const domainForm =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

export function checkSlug(slug: string): string {
  if (slugForm.test(slug)) return slug;
  throw invalidRequest(
    '/slug',
    'slug must have 1 to 63 lowercase letters, digits and hyphens, and must not begin or end with a hyphen.',
  );
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

export function checkSignUp(signUp: Site['signUp']): Site['signUp'] {
  const domains = signUp.domains.map(({ domain, accessGroupIds }, index) => {
    const ascii = toAsciiDomain(domain.trim().replace(/^@/, ''));
    if (ascii !== null && domainForm.test(ascii)) {
      return { domain: ascii, accessGroupIds: [...new Set(accessGroupIds.map((id) => id.toLowerCase()))] };
    }
    throw invalidRequest(
      `/signUp/domains/${index}/domain`,
      'domain must be the part of an email address after the @.',
    );
  });
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
