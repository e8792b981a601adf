import { readFileSync } from 'node:fs';
import path from 'node:path';
import { identityHeaderFields, operations, type Site, type UpdateSite } from '@gatehouse/contract';
import { WrongUsage } from '../../app/failure.ts';
import { compileShapeCheck } from '../../http/shared/json/validation.ts';

/** The options of `site update`. */
export interface SiteOptions {
  readonly title?: string;
  /** False for `--no-domain`. */
  readonly domain?: string | false;
  readonly scheme?: string;
  /** False for `--no-host`. */
  readonly host?: string[] | false;
  readonly redirect?: string[];
  readonly languages?: string;
  readonly timeZone?: string;
  readonly maxSessions?: string;
  readonly signUp?: string;
  readonly signUpDomain?: string[];
  readonly color?: string | false;
  /** The path of a file; false for `--no-logo`. */
  readonly logo?: string | false;
  readonly membersCreateTokens?: boolean;
  readonly headerEncoding?: string;
  /** As `<field>=<name>`. */
  readonly header?: string[];
}

/** The changes as a request body of the API, checked against its schema. */
export function changesOf(options: SiteOptions, before: Site): UpdateSite {
  const { title, languages, timeZone, maxSessions, color, logo, membersCreateTokens } = options;
  const changes = {
    ...(title !== undefined && { title }),
    ...addressesOf(options, before),
    ...(languages !== undefined && { languages: languages.split(',').map((each) => each.trim()) }),
    ...(timeZone !== undefined && { timeZone }),
    ...(maxSessions !== undefined && { maxSessions: Number(maxSessions) }),
    ...(color !== undefined && { color: color || null }),
    ...(logo !== undefined && { logo: logo ? imageUrl(logo) : null }),
    ...(membersCreateTokens !== undefined && { membersCreateTokens }),
    ...signUpOf(options, before),
    ...identityHeadersOf(options, before),
  };
  compileShapeCheck(operations.updateSite)({ params: {}, query: {}, body: changes });
  return changes as UpdateSite;
}

/** The domain and the other hosts. Hosts of one kind that are not given stay as they are, and known ones keep their scheme. */
function addressesOf({ domain, scheme, host, redirect }: SiteOptions, before: Site): object {
  if (host === undefined && redirect === undefined) {
    return {
      ...(domain !== undefined && { domain: domain || null }),
      ...(scheme !== undefined && { scheme }),
    };
  }
  const primary = domain ?? before.domain;
  if (!primary) throw new WrongUsage('Other hosts need a domain first. Set it: --domain <domain>');
  const [known, ...further] = before.hosts;
  const ofKind = (kind: boolean, given: string[] | false | undefined) =>
    given === undefined
      ? further.filter((each) => each.redirect === kind)
      : (given || []).map((each) => {
          const same = further.find(({ domain }) => domain === each.toLowerCase());
          return { domain: each, ...(same && { scheme: same.scheme }), redirect: kind };
        });
  const own = scheme ?? (primary === before.domain ? known?.scheme : undefined);
  const pages = ofKind(false, host);
  const redirected = host === false && redirect === undefined ? [] : ofKind(true, redirect);
  return { hosts: [{ domain: primary, ...(own !== undefined && { scheme: own }) }, ...pages, ...redirected] };
}

/** Known domains keep their groups, which only the API can set. */
function signUpOf({ signUp, signUpDomain }: SiteOptions, before: Site): object {
  if (signUp === undefined && signUpDomain === undefined) return {};
  const known = before.signUp.domains;
  const domains = signUpDomain?.map(
    (domain) => known.find((each) => each.domain === domain) ?? { domain, accessGroupIds: [] },
  );
  return { signUp: { policy: signUp ?? before.signUp.policy, domains: domains ?? known } };
}

/** Fields that are not named keep their header. */
function identityHeadersOf({ headerEncoding, header }: SiteOptions, before: Site): object {
  if (headerEncoding === undefined && header === undefined) return {};
  const names = (header ?? []).map((each) => {
    const [, field = '', name = ''] = /^(\w+)=(.*)$/s.exec(each) ?? [];
    if ((identityHeaderFields as readonly string[]).includes(field)) return [field, name || null];
    throw new WrongUsage(`--header must be ${identityHeaderFields.join('=…, ')}=…, not "${each}".`);
  });
  const encoding = headerEncoding ?? before.identityHeaders.encoding;
  return { identityHeaders: { ...before.identityHeaders, ...Object.fromEntries(names), encoding } };
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

function imageUrl(file: string): string {
  const mediaType = mediaTypes[path.extname(file).toLowerCase()];
  if (mediaType === undefined) throw new WrongUsage(`--logo must be a PNG, JPEG or WebP file, not ${file}.`);
  try {
    return `data:${mediaType};base64,${readFileSync(file, 'base64')}`;
  } catch (error) {
    throw new WrongUsage(`--logo: ${(error as Error).message}`);
  }
}
