import type { Configuration, CustomFetchOptions, ServerMetadata } from 'openid-client';
import type { Clock } from '../../base/clock.ts';
import { type OutgoingSettings, readOutgoingUrl } from '../../base/networks/outgoing-url.ts';
import type { ConnectedProvider } from '../../domain/login-providers/login-provider.ts';
import { ProviderLoginFailed } from '../../domain/login-providers/provider-account.ts';
import type { OutgoingHttp, OutgoingRequest } from '../outgoing/outgoing-http.ts';
import { basicAuthentication } from './basic-authentication.ts';
import { gitHubMetadata } from './github.ts';
import { profileOf } from './profiles.ts';
import { metadataFailure, namedIssuerOf, wrongIssuer } from './provider-metadata.ts';
import type { OidcProfile, ProviderRequest, ProviderRequests } from './provider-profile.ts';

export interface ProviderConnections {
  readonly http: Pick<OutgoingHttp, 'fetch'>;
  readonly outgoing: OutgoingSettings;
  readonly clock: Clock;
  /** For everything that one step of a login requests. 10 s if left out. */
  readonly timeoutMilliseconds?: number;
}

const defaultTimeoutMilliseconds = 10_000;
const maxResponseBytes = 1024 * 1024;

/** The requests of one step of a login at one provider. They share their time limit. */
export class ProviderSession implements ProviderRequests {
  readonly provider: ConnectedProvider;
  /** The issuer as the metadata that were read last name it; null before, and for a provider whose metadata are known. */
  namedIssuer: string | null = null;
  readonly #connections: ProviderConnections;
  readonly #signal: AbortSignal;

  constructor(provider: ConnectedProvider, connections: ProviderConnections) {
    this.provider = provider;
    this.#connections = connections;
    this.#signal = AbortSignal.timeout(connections.timeoutMilliseconds ?? defaultTimeoutMilliseconds);
  }

  get now(): Date {
    return this.#connections.clock();
  }

  /** Requests a URL that may be reached: the provider could name any in its metadata. */
  load(url: string, init: ProviderRequest): Promise<Response> {
    const signal = init.signal ? AbortSignal.any([init.signal, this.#signal]) : this.#signal;
    return this.#connections.http.fetch(url, { ...init, signal, maxBytes: maxResponseBytes });
  }

  /** The provider as its metadata describes it now, with every URL of it checked. */
  async configure(): Promise<Configuration> {
    const client = await import('openid-client');
    const { type, clientId } = this.provider;
    const profile = profileOf(type);
    const metadata = profile === undefined ? gitHubMetadata : await this.#discover();
    this.#requireAllowed(metadata);
    const secret =
      profile === undefined ? this.provider.secret : await profile.secretOf(this.provider, this.now);
    const authentication = sendsSecretInBody(profile, metadata)
      ? client.ClientSecretPost(secret)
      : basicAuthentication(secret);
    const configuration = new client.Configuration(metadata, clientId, {}, authentication);
    configuration[client.customFetch] = this.#customFetch;
    // Without it, an ID token would be believed for the connection that it came through.
    client.enableNonRepudiationChecks(configuration);
    if (this.#connections.outgoing.allowsHttp) client.allowInsecureRequests(configuration);
    return configuration;
  }

  readonly #customFetch = (url: string, { method, headers, body, signal }: CustomFetchOptions) =>
    this.load(url, {
      method,
      headers,
      body: (body ?? null) as NonNullable<OutgoingRequest['body']> | null,
      signal,
    });

  async #discover(): Promise<ServerMetadata> {
    const client = await import('openid-client');
    const { issuer, clientId } = this.provider;
    const { problem } = readOutgoingUrl(issuer, this.#connections.outgoing);
    if (problem !== undefined) throw new ProviderLoginFailed('rejected', problem);
    let response: Response | undefined;
    const request = async (url: string, options: CustomFetchOptions) => {
      response = await this.#customFetch(url, options);
      return response;
    };
    const discovery = client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      [client.customFetch]: request,
      execute: this.#connections.outgoing.allowsHttp ? [client.allowInsecureRequests] : [],
    });
    const discovered = await discovery.catch((error: unknown) => {
      this.namedIssuer = namedIssuerOf(error);
      throw (response && metadataFailure(error, this.provider, response)) ?? error;
    });
    const { supportsPKCE: _, ...metadata } = discovered.serverMetadata();
    this.namedIssuer = metadata.issuer;
    // Also a template such as that of Microsoft's `common`, which would stand for every directory.
    if (metadata.issuer !== issuer) throw wrongIssuer(this.provider, metadata.issuer);
    return metadata;
  }

  #requireAllowed(metadata: ServerMetadata): void {
    for (const name of requestedEndpoints) {
      const url = metadata[name];
      if (url === undefined) {
        if (!neededEndpoints.includes(name)) continue;
        const message = `The metadata of the provider lack ${name}, which logins need. Check the issuer.`;
        throw new ProviderLoginFailed('rejected', message);
      }
      const { problem } = readOutgoingUrl(String(url), this.#connections.outgoing);
      if (problem !== undefined) {
        throw new ProviderLoginFailed('rejected', `The provider's ${name} is not allowed. ${problem}`);
      }
    }
  }
}

const neededEndpoints = ['authorization_endpoint', 'token_endpoint'];
/** All that are requested, and the page to which browsers are led. */
const requestedEndpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'];

/** A provider that names no method has the one of the standard, HTTP Basic (OpenID Connect Discovery 1.0, section 3). */
function sendsSecretInBody(profile: OidcProfile | undefined, metadata: ServerMetadata): boolean {
  if (profile === undefined || profile.secretIn === 'post') return true;
  const methods = metadata.token_endpoint_auth_methods_supported;
  return methods?.includes('client_secret_post') === true && !methods.includes('client_secret_basic');
}
