import { OutgoingRequestError, OutgoingRequestRejected } from '../../base/networks/outgoing-error.ts';
import { ProviderLoginFailed } from '../../domain/login-providers/provider-account.ts';
import { textOf } from './oidc.ts';

/** Runs a step of a login, whose failures all become one error. Others are faults of the program. */
export async function withKnownFailures<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw failureOf(error) ?? error;
  }
}

/** Undefined for an error that is not of the provider. */
export function failureOf(error: unknown): ProviderLoginFailed | undefined {
  const causes = causesOf(error);
  for (const cause of causes) {
    if (cause instanceof ProviderLoginFailed) return cause;
    if (cause instanceof OutgoingRequestError) {
      const reason = cause instanceof OutgoingRequestRejected ? 'rejected' : 'unavailable';
      return new ProviderLoginFailed(reason, cause.message, error);
    }
    if ((cause as { name?: unknown })?.name === 'TimeoutError') {
      return new ProviderLoginFailed(
        'unavailable',
        'The provider did not answer in time. Check its URL, or try again later.',
        error,
      );
    }
  }
  if (causes.some((cause) => (cause as { error?: unknown })?.error === 'access_denied')) {
    return new ProviderLoginFailed('denied', 'The login was canceled at the provider.', error);
  }
  const code = codeOf(causes);
  return code === undefined ? undefined : new ProviderLoginFailed('rejected', messageOf(causes, code), error);
}

/** The error of OAuth that a provider answered, such as `invalid_client` (RFC 6749, section 5.2). */
export function oauthErrorOf(
  error: unknown,
): { readonly error: string; readonly description: string } | undefined {
  for (const cause of causesOf(error)) {
    const { error: name, error_description: description } = (cause ?? {}) as Record<string, unknown>;
    if (typeof name === 'string') return { error: name, description: textOf(description) ?? '' };
    if (codeOf([cause]) === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') return challengeOf(cause);
  }
  return undefined;
}

/** What a provider answered, as a sentence. */
export function answerText({ error, description }: { error: string; description: string }): string {
  return `The provider answered ${error}${description && ` (${description.replace(/\.$/, '')})`}.`;
}

/** The error in `WWW-Authenticate`, where a secret that was sent by HTTP Basic is refused (RFC 6749, section 5.2). */
function challengeOf(error: unknown): { readonly error: string; readonly description: string } {
  const challenges = (error as { cause?: unknown }).cause;
  const [challenge] = Array.isArray(challenges) ? challenges : [];
  const parameters: Record<string, unknown> = challenge?.parameters ?? {};
  return {
    error: textOf(parameters.error) ?? 'invalid_client',
    description: textOf(parameters.error_description) ?? '',
  };
}

/** The error and what caused it, from the outside in. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 8; cause = cause.cause)
    causes.push(cause);
  return causes;
}

/** The code that the library gives an invalid response. */
export function codeOf(causes: readonly unknown[]): string | undefined {
  const codes = causes.map((cause) => (cause as { code?: unknown }).code);
  return codes.find((code): code is string => typeof code === 'string' && code.startsWith('OAUTH_'));
}

/** With what is wrong, but without the token or the parameters that `cause` may hold. */
function messageOf(causes: readonly unknown[], code: string): string {
  const answered = oauthErrorOf(causes[0]);
  if (answered) return answerText(answered);
  const message = (causes.at(-1) as Error).message;
  return `The response of the provider is not valid: ${message} (${code}).`;
}
