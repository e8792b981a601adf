import { type Static, Type } from 'typebox';
import { named } from '../shared/resource.ts';
import { nothing, request, shape, single, text } from '../shared/schemas.ts';
import { loggedOutOperation } from './operation.ts';
import { base64url, challenge, timeout, userVerification, webAuthnResponse } from './webauthn.ts';

export const PasskeyRequestOptions = shape(
  'PasskeyRequestOptions',
  'The options with which a browser uses a passkey: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3, ' +
    'section 5.1.10.',
  {
    challenge,
    rpId: text('The host of the dashboard.', 'gatehouse.example.com'),
    timeout,
    userVerification,
  },
);
export type PasskeyRequestOptions = Static<typeof PasskeyRequestOptions>;

export const LogInWithPasskey = request('LogInWithPasskey', {
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
    text('The page of the dashboard to open after the login.', '/dashboard/academy/members', {
      maxLength: 2_000,
    }),
  ),
});
export type LogInWithPasskey = Static<typeof LogInWithPasskey>;

export const PasskeyLogin = shape('PasskeyLogin', 'The operator is logged in.', {
  next: text(
    'The page to open: `next` of the request if it is a page of the dashboard, or else the start page.',
    '/dashboard/academy/members',
  ),
});
export type PasskeyLogin = Static<typeof PasskeyLogin>;

export const passkeyLoginOperations = named({
  createPasskeyLoginOptions: loggedOutOperation({
    method: 'POST',
    path: '/passkey-login/options',
    tag: 'Login',
    summary: 'Start a login with a passkey',
    description:
      'Returns the options with which a browser uses a passkey. The challenge works once, for five minutes, in this ' +
      'browser.',
    body: nothing,
    returns: single(PasskeyRequestOptions),
    success: 'The options.',
  }),
  logInWithPasskey: loggedOutOperation({
    method: 'POST',
    path: '/passkey-login',
    tag: 'Login',
    summary: 'Log in with a passkey',
    description:
      'Creates a session and sets its cookie. Every failure returns the same `invalid_request`, so that the cause ' +
      'cannot be guessed.',
    body: LogInWithPasskey,
    returns: single(PasskeyLogin),
    success: 'The operator is logged in.',
  }),
});
