import { dashboardApiPrefix, dashboardOperations } from '@gatehouse/contract/dashboard';
import { offersPasskeys } from '../../../domain/passkeys/passkey.ts';
import { memberPages } from '../../../domain/sites/page-addresses.ts';
import { loginSurfaceOf } from '../../../domain/sites/site.ts';
import type { VisitedSite } from '../../../domain/sites/visited-site.ts';
import type { PasskeyLogin } from '../../../pages/pages.ts';

const { createPasskeyLoginOptions, logInWithPasskey } = dashboardOperations;

const operatorsLogin: PasskeyLogin = {
  optionsPath: dashboardApiPrefix + createPasskeyLoginOptions.path,
  loginPath: dashboardApiPrefix + logInWithPasskey.path,
  suggests: false,
};

const membersLogin: PasskeyLogin = {
  optionsPath: `${memberPages.prefix}/passkeys/login-options`,
  loginPath: `${memberPages.prefix}/passkeys/login`,
  suggests: true,
};

/** How the login page of a site logs in with a passkey; undefined if nobody has one. */
export function passkeyLoginOf(site: VisitedSite): PasskeyLogin | undefined {
  if (loginSurfaceOf(site) === 'operators') return operatorsLogin;
  return site.hasPasskeys && offersPasskeys(site) ? membersLogin : undefined;
}
