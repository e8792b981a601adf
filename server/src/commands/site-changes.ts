import { readFileSync } from 'node:fs';
import path from 'node:path';
import { identityHeaderFields, operations, type Site, type UpdateSite } from '@gatehouse/contract';
import { compileShapeCheck } from '../http/shared/json/validation.ts';
import { WrongUsage } from './failure.ts';

/** The options of `site update`. */
export interface SiteOptions {
  readonly title?: string;
  /** False for `--no-domain`. */
  readonly domain?: string | false;
  readonly scheme?: string;
  readonly languages?: string;
  readonly signUp?: string;
  readonly signUpDomain?: string[];
  readonly colour?: string | false;
  /** The path of a file; false for `--no-logo`. */
  readonly logo?: string | false;
  readonly headerEncoding?: string;
  /** As `<field>=<name>`. */
  readonly header?: string[];
}

/** The changes as a request body of the API, checked against its schema. */
export function changesOf(options: SiteOptions, before: Site): UpdateSite {
  const { title, domain, scheme, languages, colour, logo } = options;
  const changes = {
    ...(title !== undefined && { title }),
    ...(domain !== undefined && { domain: domain || null }),
    ...(scheme !== undefined && { scheme }),
    ...(languages !== undefined && { languages: languages.split(',').map((each) => each.trim()) }),
    ...(colour !== undefined && { colour: colour || null }),
    ...(logo !== undefined && { logo: logo ? imageUrl(logo) : null }),
    ...signUpOf(options, before),
    ...identityHeadersOf(options, before),
  };
  compileShapeCheck(operations.updateSite)({ params: {}, query: {}, body: changes });
  return changes as UpdateSite;
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
