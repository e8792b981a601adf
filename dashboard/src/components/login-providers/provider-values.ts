import type { CreateLoginProvider, LoginProvider, UpdateLoginProvider } from '@gatehouse/client';
import {
  appleIssuer,
  gitHubIssuer,
  googleIssuer,
  microsoftIssuer,
} from '@gatehouse/contract/provider-issuers';
import { factsOfType, type OwnField, type ProviderType } from './provider-types.ts';

/** The values of the form for a login provider. Fields that its type does not have are empty. */
export interface ProviderValues extends Record<OwnField, string> {
  name: string;
  clientId: string;
  /** Only entered: nobody can read it again. */
  secret: string;
  emailTrust: LoginProvider['emailTrust'];
  groupsClaim: string;
  groupMap: GroupRow[];
}

export interface GroupRow {
  /** Identifies the row, independent of its content. */
  key: string;
  value: string;
  accessGroupId: string | null;
}

export function newProviderValues(name: string): ProviderValues {
  return {
    name,
    clientId: '',
    secret: '',
    issuer: '',
    tenant: '',
    teamId: '',
    privateKeyId: '',
    emailTrust: 'claim',
    groupsClaim: '',
    groupMap: [],
  };
}

export function newGroupRow(): GroupRow {
  return { key: crypto.randomUUID(), value: '', accessGroupId: null };
}

export function toValues(provider: LoginProvider): ProviderValues {
  return {
    name: provider.name,
    clientId: provider.clientId,
    secret: '',
    issuer: provider.issuer,
    tenant: provider.tenant ?? '',
    teamId: provider.teamId ?? '',
    privateKeyId: provider.privateKeyId ?? '',
    emailTrust: provider.emailTrust,
    groupsClaim: provider.groupsClaim ?? '',
    groupMap: provider.groupMap.map((each) => ({ ...each, key: crypto.randomUUID() })),
  };
}

/** The issuer, also if the URL of its configuration was entered, which providers often show instead. */
export function shortIssuer(entered: string): string {
  return entered.trim().replace(/\/\.well-known\/openid-configuration\/?$/, '');
}

/** The issuer as its metadata name it, if the entered one differs only by a slash at its end, as in the URL of its configuration. */
export function correctedIssuer(entered: string, named: string | null): string | undefined {
  const issuer = shortIssuer(entered);
  const isOther = named !== null && (named === `${issuer}/` || issuer === `${named}/`);
  return isOther ? named : undefined;
}

/** A new provider, which is not offered yet. */
export function toNewProvider(type: ProviderType, values: ProviderValues): CreateLoginProvider {
  const entered = { ...values, issuer: shortIssuer(values.issuer) };
  const own = factsOfType(type).fields.map((field) => [field, entered[field].trim()]);
  const { secret } = values;
  return { type, ...toChangeable(values), secret: secret.trim(), ...Object.fromEntries(own) };
}

/** The issuer of a new provider; null until what it is made of has been entered. */
export function issuerOf(type: ProviderType, { issuer, tenant }: ProviderValues): string | null {
  switch (type) {
    case 'google':
      return googleIssuer;
    case 'github':
      return gitHubIssuer;
    case 'apple':
      return appleIssuer;
    case 'microsoft':
      return isDirectoryId(tenant.trim()) ? microsoftIssuer(tenant.trim().toLowerCase()) : null;
    default:
      return isCompleteUrl(issuer.trim()) ? issuer.trim() : null;
  }
}

export function isDirectoryId(text: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

function isCompleteUrl(text: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text);
}

type Settings = Required<
  Pick<UpdateLoginProvider, 'name' | 'clientId' | 'emailTrust' | 'groupsClaim' | 'groupMap'>
> &
  Pick<UpdateLoginProvider, 'teamId' | 'privateKeyId'>;

/** What can be changed later, as the API takes and returns it. */
export function toSettings(type: ProviderType, values: ProviderValues): Settings {
  const { teamId, privateKeyId } = values;
  const key = type === 'apple' ? { teamId: teamId.trim(), privateKeyId: privateKeyId.trim() } : {};
  return { ...toChangeable(values), ...key };
}

function toChangeable({ name, clientId, emailTrust, groupsClaim, groupMap }: ProviderValues) {
  const claim = groupsClaim.trim();
  return {
    name: name.trim(),
    clientId: clientId.trim(),
    emailTrust,
    groupsClaim: claim || null,
    // Without a claim, the rows are not visible.
    groupMap: claim
      ? groupMap.map(({ value, accessGroupId }) => ({ value: value.trim(), accessGroupId: accessGroupId! }))
      : [],
  };
}

/** The form field for a JSON pointer in an error of the service; undefined for a field that the type does not have. */
export function fieldOf(type: ProviderType, pointer: string): string | undefined {
  const [first = '', index, last] = pointer.slice(1).split('/');
  if (first === 'groupMap') return index === undefined ? undefined : `groupMap.${index}.${last ?? 'value'}`;
  // The issuer of a directory is made of its ID.
  if (first === 'issuer' && type === 'microsoft') return 'tenant';
  const own = factsOfType(type).fields as readonly string[];
  return [...shared, ...own].find((field) => field === first);
}

const shared = ['name', 'clientId', 'secret', 'emailTrust', 'groupsClaim'];
