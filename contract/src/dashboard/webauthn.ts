import { type TProperties, Type } from 'typebox';
import { enumeration, integer } from '../shared/schemas.ts';

// Parts of WebAuthn (Level 3) in JSON; bytes are encoded in base64url without padding.

const maxCredentialIdLength = 1_400;
const maxClientDataLength = 16_384;

export function base64url(description: string, example: string, maxLength?: number) {
  return Type.String({
    ...(maxLength && { minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' }),
    description,
    examples: [example],
  });
}

export const challenge = base64url('The challenge that the passkey signs.', 'c2lnbiB0aGlz');
export const timeout = integer('How long the browser may take, in milliseconds.', 300_000);
export const userVerification = enumeration(['required'], 'The authenticator must verify the user.');

export const credentialReference = Type.Object({
  id: base64url('The id of the credential.', 'cGFzc2tleQ'),
  type: enumeration(['public-key'], 'The type of a passkey.'),
});

/**
 * The response of a browser. It is the only part of a body that may have unknown fields, because newer browsers may add
 * fields.
 */
export function webAuthnResponse<Signed extends TProperties>(
  signed: Signed,
  about: { readonly title: string; readonly description: string },
) {
  return Type.Object(
    {
      id: base64url('The id of the credential.', 'cGFzc2tleQ', maxCredentialIdLength),
      rawId: base64url('The same id.', 'cGFzc2tleQ', maxCredentialIdLength),
      type: enumeration(['public-key'], 'The type of a passkey.'),
      response: Type.Object(
        {
          clientDataJSON: base64url(
            'The client data of the browser.',
            'eyJ0eXBlIjoiIn0',
            maxClientDataLength,
          ),
          ...signed,
        },
        { description: 'The response of the authenticator.' },
      ),
    },
    about,
  );
}
