import { type Check, fail, ok, warn } from './check.ts';

const timeoutMilliseconds = 5_000;

/** Whether the service responds at its public URL. */
export async function checkServer(publicUrl: string): Promise<Check> {
  let status: number;
  try {
    const response = await fetch(`${publicUrl}/readyz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    status = response.status;
    const body = await response.text();
    if (status === 200 && body === '{"status":"ok"}') return ok('service', `responds at ${publicUrl}`);
  } catch {
    return warn(
      'service',
      `does not respond at ${publicUrl}`,
      'Start it with ./gatehouse serve, or correct GATEHOUSE_PUBLIC_URL and the proxy in front of it.',
    );
  }
  if (status === 503) {
    return fail(
      'service',
      `responds at ${publicUrl}, but is not ready`,
      'Check its log: it cannot use its database.',
    );
  }
  return warn(
    'service',
    `something else responds at ${publicUrl} (status ${status})`,
    'Correct GATEHOUSE_PUBLIC_URL or the proxy in front of the service.',
  );
}
