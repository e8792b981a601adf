import { expect, test } from 'vitest';
import {
  appleIssuer,
  gitHubIssuer,
  googleIssuer,
  microsoftIssuer,
  providerCallbackPath,
} from './provider-issuers.ts';

const tenant = '5a3e1f2d-7b64-4c8e-9d10-2f6b8a4c7e91';

test.each([
  [googleIssuer, 'accounts.google.com'],
  [gitHubIssuer, 'github.com'],
  [appleIssuer, 'appleid.apple.com'],
  [microsoftIssuer(tenant), `login.microsoftonline.com/${tenant}/v2.0`],
  ['https://id.example.org/realms/club', 'id.example.org/realms/club'],
  ['https://id.example.org/application/o/members/', 'id.example.org/application/o/members'],
  ['https://id.example.org/', 'id.example.org'],
  ['https://id.example.org:8443', 'id.example.org:8443'],
  ['https://ID.example.org:443/Realms/%C3%A4/../ö', 'id.example.org/Realms/%C3%B6'],
])('the redirect URI of %s ends in %s, as a browser writes it', (issuer, end) => {
  const path = providerCallbackPath(issuer);
  expect(path).toBe(`/_gatehouse/login/callback/${end}`);
  expect(new URL(path, 'https://members.example.org').pathname).toBe(path);
});
