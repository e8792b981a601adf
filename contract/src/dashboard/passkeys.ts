import type { Static } from 'typebox';
import { named } from '../shared/resource.ts';
import {
  all,
  dateTime,
  enumeration,
  exampleIds,
  maxRawValueLength,
  noNull,
  nothing,
  nullable,
  single,
  uuid,
} from '../shared/schemas.ts';
import { Type } from '../shared/type.ts';
import { dashboardOperation } from './operation.ts';
import {
  base64url,
  challenge,
  credentialReference,
  timeout,
  userVerification,
  webAuthnResponse,
} from './webauthn.ts';

export const Passkey = Type.Object(
  {
    id: uuid('The passkey.', exampleIds.passkey),
    name: Type.String({ description: 'The name that the operator chose.', examples: ['My laptop'] }),
    createdAt: dateTime('When the passkey was added.'),
    lastUsedAt: nullable(dateTime('When the operator last logged in with it; null if never.')),
  },
  { title: 'Passkey', description: 'A passkey of the operator.' },
);
export type Passkey = Static<typeof Passkey>;

export const PasskeyCreationOptions = Type.Object(
  {
    challenge,
    rp: Type.Object(
      {
        id: Type.String({ description: 'The host of the dashboard.', examples: ['gatehouse.example.com'] }),
        name: Type.String({
          description: 'The name of the dashboard in the dialogs of the browser.',
          examples: ['Gatehouse'],
        }),
      },
      { description: 'The service that the passkey is for.' },
    ),
    user: Type.Object(
      {
        id: base64url('The id of the operator.', 'MDE5ODBhMmYtNWM0NC03ZDE4'),
        name: Type.String({
          description: 'The email address of the operator.',
          examples: ['grace@example.com'],
        }),
        displayName: Type.String({ description: 'The name of the operator.', examples: ['Grace Hopper'] }),
      },
      { description: 'The operator who owns the passkey.' },
    ),
    pubKeyCredParams: Type.Array(
      Type.Object({
        alg: Type.Integer({ description: 'A COSE algorithm.', examples: [-7] }),
        type: enumeration(['public-key'], { description: 'The type of a passkey.' }),
      }),
      { description: 'The algorithms that the service supports, the preferred one first.' },
    ),
    timeout,
    excludeCredentials: Type.Array(credentialReference, {
      description: 'The existing passkeys of the operator.',
    }),
    authenticatorSelection: Type.Object(
      {
        residentKey: enumeration(['required'], {
          description: 'The browser must be able to find the passkey without its id.',
        }),
        requireResidentKey: Type.Boolean({ description: 'The same in WebAuthn Level 1.', examples: [true] }),
        userVerification,
      },
      { description: 'The requirements for the authenticator.' },
    ),
    attestation: enumeration(['none'], {
      description: 'The service does not request the manufacturer of the authenticator.',
    }),
    extensions: Type.Object(
      {
        credProps: Type.Boolean({
          description: 'Requests the properties of the credential.',
          examples: [true],
        }),
      },
      { description: 'Requested extensions.' },
    ),
    hints: Type.Array(
      enumeration(['hybrid', 'security-key', 'client-device'], { description: 'A kind of authenticator.' }),
      { description: 'The kinds of authenticators to offer first: none.' },
    ),
  },
  {
    title: 'PasskeyCreationOptions',
    description:
      'The options with which a browser creates a passkey: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level ' +
      '3, section 5.1.9.',
  },
);
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>;

export const AddPasskey = Type.Object(
  {
    name: Type.String({
      // The cap is higher than the limit, because the limit applies after trimming.
      maxLength: maxRawValueLength,
      pattern: noNull,
      description: 'The name of the passkey, 1 to 100 characters after trimming.',
      examples: ['My laptop'],
    }),
    response: webAuthnResponse(
      {
        attestationObject: base64url(
          'The attestation of the authenticator for the new passkey.',
          'o2NmbXRkbm9uZQ',
          65_536,
        ),
      },
      {
        title: 'PasskeyRegistration',
        description:
          'The passkey that the browser created: `RegistrationResponseJSON` of WebAuthn Level 3, section 5.1.8.',
      },
    ),
  },
  { title: 'AddPasskey', additionalProperties: false },
);
export type AddPasskey = Static<typeof AddPasskey>;

export const passkeyOperations = named({
  listPasskeys: dashboardOperation({
    method: 'GET',
    path: '/passkeys',
    tag: 'Passkeys',
    summary: 'List the passkeys of the operator',
    description: 'All passkeys of the operator, at most 20, newest first.',
    withoutPasskey: true,
    returns: all(Passkey),
    success: 'The passkeys.',
  }),
  createPasskeyOptions: dashboardOperation({
    method: 'POST',
    path: '/passkeys/options',
    tag: 'Passkeys',
    summary: 'Start adding a passkey',
    description:
      'Returns the options with which a browser creates a passkey. The challenge works once, for five minutes.',
    withoutPasskey: true,
    recentLogin: true,
    body: nothing,
    returns: single(PasskeyCreationOptions),
    success: 'The options.',
  }),
  addPasskey: dashboardOperation({
    method: 'POST',
    path: '/passkeys',
    tag: 'Passkeys',
    summary: 'Add a passkey',
    description: 'Adds the passkey that the browser created for the most recent challenge.',
    withoutPasskey: true,
    recentLogin: true,
    body: AddPasskey,
    status: 201,
    returns: single(Passkey),
    success: 'The passkey.',
  }),
  deletePasskey: dashboardOperation({
    method: 'DELETE',
    path: '/passkeys/{passkeyId}',
    tag: 'Passkeys',
    summary: 'Remove a passkey',
    description: 'Removes a passkey of the operator. It can no longer be used to log in.',
    recentLogin: true,
    success: 'The passkey is removed.',
    errors: ['passkey_not_found'],
  }),
});
