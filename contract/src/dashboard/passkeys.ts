import { type Static, Type } from 'typebox';
import { named } from '../shared/resource.ts';
import {
  all,
  dateTime,
  enumeration,
  exampleIds,
  flag,
  integer,
  maxRawValueLength,
  noNull,
  nothing,
  nullable,
  request,
  shape,
  single,
  text,
  uuid,
} from '../shared/schemas.ts';
import { dashboardOperation } from './operation.ts';
import {
  base64url,
  challenge,
  credentialReference,
  timeout,
  userVerification,
  webAuthnResponse,
} from './webauthn.ts';

export const Passkey = shape('Passkey', 'A passkey of the operator.', {
  id: uuid('The passkey.', exampleIds.passkey),
  name: text('The name that the operator chose.', 'My laptop'),
  createdAt: dateTime('When the passkey was added.'),
  lastUsedAt: nullable(dateTime('When the operator last logged in with it; null if never.')),
});
export type Passkey = Static<typeof Passkey>;

export const PasskeyCreationOptions = shape(
  'PasskeyCreationOptions',
  'The options with which a browser creates a passkey: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level ' +
    '3, section 5.1.9.',
  {
    challenge,
    rp: Type.Object(
      {
        id: text('The host of the dashboard.', 'gatehouse.example.com'),
        name: text('The name of the dashboard in the dialogs of the browser.', 'Gatehouse'),
      },
      { description: 'The service that the passkey is for.' },
    ),
    user: Type.Object(
      {
        id: base64url('The id of the operator.', 'MDE5ODBhMmYtNWM0NC03ZDE4'),
        name: text('The email address of the operator.', 'grace@example.com'),
        displayName: text('The name of the operator.', 'Grace Hopper'),
      },
      { description: 'The operator who owns the passkey.' },
    ),
    pubKeyCredParams: Type.Array(
      Type.Object({
        alg: integer('A COSE algorithm.', -7),
        type: enumeration(['public-key'], 'The type of a passkey.'),
      }),
      { description: 'The algorithms that the service supports, the preferred one first.' },
    ),
    timeout,
    excludeCredentials: Type.Array(credentialReference, {
      description: 'The existing passkeys of the operator.',
    }),
    authenticatorSelection: Type.Object(
      {
        residentKey: enumeration(
          ['required'],
          'The browser must be able to find the passkey without its id.',
        ),
        requireResidentKey: flag('The same in WebAuthn Level 1.', true),
        userVerification,
      },
      { description: 'The requirements for the authenticator.' },
    ),
    attestation: enumeration(['none'], 'The service does not request the manufacturer of the authenticator.'),
    extensions: Type.Object(
      {
        credProps: flag('Requests the properties of the credential.', true),
      },
      { description: 'Requested extensions.' },
    ),
    hints: Type.Array(enumeration(['hybrid', 'security-key', 'client-device'], 'A kind of authenticator.'), {
      description: 'The kinds of authenticators to offer first: none.',
    }),
  },
);
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>;

export const AddPasskey = request('AddPasskey', {
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
});
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
