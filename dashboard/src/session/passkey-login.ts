import { startAuthentication } from '@simplewebauthn/browser';
import { dashboardApi } from './dashboard-api.ts';

/** Logs in with a passkey. The new session replaces that of this browser. */
export async function logInWithPasskey(): Promise<void> {
  const optionsJSON = await dashboardApi.passkeyLoginOptions();
  await dashboardApi.logInWithPasskey(await startAuthentication({ optionsJSON }));
}
