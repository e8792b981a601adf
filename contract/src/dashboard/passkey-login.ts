import type { Static } from 'typebox';
import { nothing, single } from '../shared/schemas.ts';
import { Type } from '../shared/type.ts';
import type { DashboardOperation } from './operation.ts';
import { base64url, challenge, timeout, userVerification, webAuthnResponse } from './webauthn.ts';

export const PasskeyRequestOptions = Type.Object(
  {
    challenge,
    rpId: Type.String({ description: 'The host of the dashboard.', examples: ['gatehouse.example.com'] }),
    timeout,
    userVerification,
  },
  {
    title: 'PasskeyRequestOptions',
    description:
      'The options with which a browser uses a passkey: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3, ' +
      'section 5.1.10.',
  },
);
export type PasskeyRequestOptions = Static<typeof PasskeyRequestOptions>;

export const LogInWithPasskey = Type.Object(
  {
    response: webAuthnResponse(
      {
        authenticatorData: base64url('The data of the authenticator.', 'YXV0aERhdGE', 16_384),
        signature: base64url('The signature of the authenticator.', 'c2lnbmF0dXJl', 16_384),
      },
      {
        title: 'PasskeyAssertion',
        description:
          'The signed response of the passkey: `AuthenticationResponseJSON` of WebAuthn Level 3, section 5.1.8.',
      },
    ),
    next: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'The page of the dashboard to open after the login.',
        examples: ['/dashboard/academy/members'],
      }),
    ),
  },
  { title: 'LogInWithPasskey', additionalProperties: false },
);
export type LogInWithPasskey = Static<typeof LogInWithPasskey>;

export const PasskeyLogin = Type.Object(
  {
    next: Type.String({
      description:
        'The page to open: `next` of the request if it is a page of the dashboard, or else the start page.',
      examples: ['/dashboard/academy/members'],
    }),
  },
  { title: 'PasskeyLogin', description: 'The operator is logged in.' },
);
export type PasskeyLogin = Static<typeof PasskeyLogin>;

export const createPasskeyLoginOptions = {
  id: 'createPasskeyLoginOptions',
  method: 'POST',
  path: '/passkey-login/options',
  tag: 'Login',
  loggedOut: true,
  summary: 'Start a login with a passkey',
  description:
    'Returns the options with which a browser uses a passkey. The challenge works once, for five minutes, in this ' +
    'browser.',
  params: nothing,
  query: nothing,
  body: nothing,
  success: { status: 200, description: 'The options.', body: single(PasskeyRequestOptions) },
  errors: [],
} as const satisfies DashboardOperation;

export const logInWithPasskey = {
  id: 'logInWithPasskey',
  method: 'POST',
  path: '/passkey-login',
  tag: 'Login',
  loggedOut: true,
  summary: 'Log in with a passkey',
  description:
    'Creates a session and sets its cookie. Every failure returns the same `invalid_request`, so that the cause ' +
    'cannot be guessed.',
  params: nothing,
  query: nothing,
  body: LogInWithPasskey,
  success: { status: 200, description: 'The operator is logged in.', body: single(PasskeyLogin) },
  errors: [],
} as const satisfies DashboardOperation;
