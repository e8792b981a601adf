import type { LoginProvider } from '@gatehouse/client';
import type { Icon } from '../icons/icon.tsx';
import {
  IconBrandApple,
  IconBrandGithub,
  IconBrandGoogle,
  IconBrandWindows,
  IconId,
} from './provider-icons.ts';

export type ProviderType = LoginProvider['type'];

/** A field that only some types have. */
export type OwnField = 'issuer' | 'tenant' | 'teamId' | 'privateKeyId';

interface TypeFacts {
  readonly icon: Icon;
  /** Its name on the login page, unless the operator enters another one. */
  readonly name: string;
  /** The fields that other types do not have. */
  readonly fields: readonly OwnField[];
  /** Where a client is registered, without `https://`; null if every provider has its own place. */
  readonly registration: string | null;
  /** Its page of the documentation. */
  readonly guide: string;
  /** Servers of this type that have a page of their own. */
  readonly servers?: readonly { readonly name: string; readonly guide: string }[];
  /** Whether it can send something like the groups of an account. */
  readonly hasClaims: boolean;
}

/** The types of login providers, in the order in which they are offered. */
export const providerTypes: Readonly<Record<ProviderType, TypeFacts>> = {
  google: {
    icon: IconBrandGoogle,
    name: 'Google',
    fields: [],
    registration: 'console.cloud.google.com/auth/clients',
    guide: 'guides/login-with/google.html',
    hasClaims: true,
  },
  microsoft: {
    icon: IconBrandWindows,
    name: 'Microsoft',
    fields: ['tenant'],
    registration: 'entra.microsoft.com',
    guide: 'guides/login-with/microsoft-entra.html',
    hasClaims: true,
  },
  github: {
    icon: IconBrandGithub,
    name: 'GitHub',
    fields: [],
    registration: 'github.com/settings/developers',
    guide: 'guides/login-with/github.html',
    hasClaims: false,
  },
  apple: {
    icon: IconBrandApple,
    name: 'Apple',
    fields: ['teamId', 'privateKeyId'],
    registration: 'developer.apple.com/account/resources',
    guide: 'guides/login-with/apple.html',
    hasClaims: false,
  },
  oidc: {
    icon: IconId,
    name: '',
    fields: ['issuer'],
    registration: null,
    guide: 'guides/ways-to-log-in.html',
    servers: [
      { name: 'Keycloak', guide: 'guides/login-with/keycloak.html' },
      { name: 'authentik', guide: 'guides/login-with/authentik.html' },
      { name: 'Pocket ID', guide: 'guides/login-with/pocket-id.html' },
    ],
    hasClaims: true,
  },
};

export const providerTypeNames = Object.keys(providerTypes) as readonly ProviderType[];

/** The facts of a type; those of a general provider for a type of a newer server. */
export function factsOfType(type: string): TypeFacts {
  return (providerTypes as Readonly<Record<string, TypeFacts>>)[type] ?? providerTypes.oidc;
}
