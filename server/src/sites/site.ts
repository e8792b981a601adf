import type { Site } from '@gatehouse/contract';
import { toAsciiDomain } from '../base/domain-name.ts';
import { invalidRequest } from '../base/refusal.ts';
import { hasControlCharacters, lengthOf } from '../base/text.ts';

export interface SiteRow {
  id: string;
  slug: string;
  title: string;
  domain: string | null;
  status: string;
  created_at: string;
}

export function toSite(row: SiteRow): Site {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    domain: row.domain,
    status: row.status as Site['status'],
    createdAt: row.created_at,
  };
}

const longestTitle = 100;
const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const domainForm =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

export function checkSlug(slug: string): string {
  if (slugForm.test(slug)) return slug;
  throw invalidRequest('/slug', 'slug takes 1 to 63 lower-case letters, digits and inner hyphens.');
}

export function checkTitle(title: string): string {
  const trimmed = title.trim().normalize('NFC');
  if (trimmed !== '' && lengthOf(trimmed) <= longestTitle && !hasControlCharacters(trimmed)) return trimmed;
  throw invalidRequest('/title', 'title takes 1 to 100 characters on one line.');
}

/** The host name of a site, in its ASCII form (RFC 5890), without a port. */
export function checkDomain(domain: string | null): string | null {
  if (domain === null) return null;
  const ascii = toAsciiDomain(domain.trim());
  if (ascii !== null && domainForm.test(ascii)) return ascii;
  throw invalidRequest(
    '/domain',
    'domain takes a host name such as club.example.org, without scheme, port or path.',
  );
}
